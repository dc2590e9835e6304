"""`prov schema`: the manifest's JSON Schema."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Print the JSON Schema of manifests, for editors.

    \b
    prov schema > manifest.schema.json
    """
    from provenance.manifest import schema

    click.echo(json.dumps(schema(), indent=2, sort_keys=True, ensure_ascii=False))
    ctx.exit(0)
