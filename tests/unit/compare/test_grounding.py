"""Which numbers and names of a claim do not stand in the cited lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from provenance.compare.grounding.ungrounded import ungrounded

PREPARE = '''\
def transformer_prepare_encoder(inputs, target_space, hparams):
  """Prepare one shard of the model for the encoder.

  Returns:
    encoder_input: a Tensor, bottom of encoder stack
    encoder_self_attention_bias: a Tensor, containing large negative values
      to implement masked attention and possibly baises for diagonal
      alignments
  """
  # Flatten inputs.
  ishape_static = inputs.shape.as_list()
  encoder_input = inputs
  encoder_padding = common_attention.embedding_to_padding(encoder_input)
  encoder_self_attention_bias = common_attention.attention_bias_ignore_padding(
      encoder_padding)
  # Append target_space_id embedding to inputs.
  emb_target_space = common_layers.embedding(
      target_space, 32, ishape_static[-1], name="target_space_embedding")
  emb_target_space = tf.reshape(emb_target_space, [1, 1, -1])
  encoder_input += emb_target_space
  if hparams.pos == "timing":
    encoder_input = common_attention.add_timing_signal_1d(encoder_input)
  return (encoder_input, encoder_self_attention_bias, encoder_padding)
'''
HIDDEN_RELU = '''\
def conv_hidden_relu(inputs, hidden_size, output_size, kernel_size=(1, 1), dropout=0.0, **kwargs):
  """Hidden layer with RELU activation followed by linear projection."""
  h = conv_f1(inputs, hidden_size, kernel_size, activation=tf.nn.relu, name="conv1", **kwargs)
  if dropout != 0.0:
    h = tf.nn.dropout(h, 1.0 - dropout)
  tf.summary.histogram("hidden_density_logit", relu_density_logit(h, list(range(inputs.shape.ndims - 1))))
'''
CONV = """\
def conv(inputs, filters, kernel_size, **kwargs):
  return conv_internal(tf.layers.conv2d, inputs, filters, kernel_size, **kwargs)


def conv1d(inputs, filters, kernel_size, **kwargs):
  return tf.squeeze(conv(tf.expand_dims(inputs, 2), filters, (kernel_size, 1), **kwargs), 2)
"""
NORM = "def layer_norm(x, filters=None, epsilon=1e-6, name=None, reuse=None):"
BIG = '''\
@registry.register_hparams
def transformer_big():
  """HParams for transfomer big model on WMT."""
  hparams = transformer_base()
  hparams.hidden_size = 1024
  hparams.filter_size = 4096
  hparams.num_heads = 16
  hparams.batching_mantissa_bits = 2
  hparams.residual_dropout = 0.3
  return hparams
'''


@pytest.mark.parametrize(
    ("claim", "excerpt", "missing"),
    [
        (
            "The embedded source plus an embedding of 32 rows; the padding becomes a \u22121e9 attention bias.",
            PREPARE,
            ("\u22121e9",),
        ),
        ("A learned embedding of the target space id, 32 rows of the model width.", PREPARE, ()),
        ("conv_hidden_relu: a 1×1 convolution with ReLU, optional dropout, then a 1×1 one.", HIDDEN_RELU, ()),
        ("conv1d is a 1×1 tf.layers.conv2d, which owns a kernel and a bias.", CONV, ()),
        ("LayerNorm over the last axis with a learned scale and bias and ε = 1e-6.", NORM, ()),
        ("The c_proj contraction maps the wide state back.", "h2 = conv1d(h, 'c_proj', nx)", ()),
    ],
)
def test_claims_of_real_pages(claim: str, excerpt: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, excerpt, file=lambda: excerpt) == missing


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        # one number, written in several ways
        ("ε = 1e-6", "epsilon=0.000001"),
        ("ε = 0.000001", "epsilon=1e-6"),
        ("ε = $10^{-6}$", "epsilon=1e-6"),
        ("ε = 10⁻⁶", "epsilon=1E-06"),
        ("ε = 10^-6", "epsilon=10 ** -6"),
        ("a width of 2,048", "d_ff=2048"),
        ("a width of $2{,}048$", "d_ff = 2_048"),
        ("a width of 2048", "# 2,048 wide"),
        ("a width of 2048", "d_ff = 2'048;"),
        ("a bias of \u22121e9", "bias = -1e9"),
        ("a bias of -1e9", "bias = - 1e9"),
        ("a bias of -1e9", "return x * -(10 ** 9)"),
        ("a bias of 1e9", "bias = -1e9"),
        ("a mask of 255", "mask = 0xFF"),
        ("a mask of 0xFF", "mask = 255"),
        ("the mode 420", "mode = 0o644"),
        ("5 bits", "0b101"),
        # what the code works out
        ("65,536 bytes", "size = 64 * 1024"),
        ("65,536 bytes", "size = 2 ** 16"),
        ("65,536 bytes", "size = 1 << 16"),
        ("the last one is 65,535", "last = (1 << 16) - 1"),
        ("86,400 seconds", "day = 24 * 60 * 60"),
        ("$2^{16}$ values", "size = 1 << 16"),
        ("2¹⁶ values", "size = 65536"),
        ("2**16 values", "size = 65536"),
        # digits within identifiers
        ("32 bits", "x = tf.float32"),
        ("a width of 64", "block64(x)"),
        # percents, thousands, units
        ("10% dropout", "dropout=0.1"),
        (r"10\% dropout", "dropout=0.1"),
        ("10 percent", "dropout=10"),
        ("99.9 % of it", "0.999"),
        ("a vocabulary of 37k", "vocab = 37000"),
        ("4k positions", "n_ctx = 4096"),
        ("16 MiB", "limit = 16 << 20"),
        ("16 MiB", "limit = 16 * 1024 * 1024"),
        ("124M parameters", "n = 124_439_808"),
        ("waits 5 minutes", "timeout = 300"),
        ("waits 1500 ms", "timeout = 1.5"),
        ("polls every 250 ms", "sleep(0.25)"),
        ("a 32-byte digest", "bits = 256"),
        ("four times: 4× the width", "nx*4"),
        ("a 4x4 kernel", "kernel=(4, 4)"),
        # rounded decimals, ranges, fractions
        ("the constant 0.0447", "0.044715 * x"),
        ("about 0.798", "0.7978845608"),
        ("about 0.797", "0.7978845608"),
        ("the values 0 to 255", "range(256)"),
        ("the values 0–15", "for c in range(16)"),
        ("scales by 1/8", "x * 0.125"),
        ("scales by 5/8", "x * 0.625"),
        # beside other signs
        ("(n_head=12, n_layer=12)", "n_head=12,n_layer=12"),
        ("heads of 64.", "[64,128]"),
    ],
)
def test_grounded_numbers(claim: str, excerpt: str) -> None:
    assert ungrounded(claim, excerpt) == ()


@pytest.mark.parametrize(
    ("claim", "excerpt", "missing"),
    [
        ("a bias of \u22121e9", "bias = 1e9", ("\u22121e9",)),
        ("a bias of -1e9", "bias - x, 1e9", ("-1e9",)),
        ("ε = 1e-5", NORM, ("1e-5",)),
        ("a width of 48", "d_ff = 2048", ("48",)),
        ("a width of 2048", "d_ff = 20480", ("2048",)),
        ("a width of 5", "x = 2.5 + 0.5", ("5",)),
        ("a rate of 0.8", "rate = 0.7978", ("0.8",)),
        ("a rate of 0.79", "rate = 0.7", ("0.79",)),
        ("10% dropout", "dropout=0.2", ("10%",)),
        ("37k tokens", "n = 38000", ("37k",)),
        ("2^12 values", "1 << 13", ("2^12",)),
        ("8 heads of 64, in all 512", "heads=8", ("64", "512")),
        ("64 and 64", "x", ("64",)),
        ("[B batch, 512 d]", "x", ("512",)),
        ("`x[40:]` is cut", "x[30:]", ("40",)),
        ("Uses 0.02 as deviation", "stddev=0.01", ("0.02",)),
        ("maps $512 \\times 2{,}048$", "x", ("512", "2{,}048")),
        ("a 12-layer stack", "n_layer=24", ("12",)),
        ("waits 30 s", "timeout = 31", ("30",)),
        (
            "a width of 64",
            "6 / 0 + 58, 2 ** 99999 * 64.5, 1 << 99999, 2 ** 0.5 - 64.5, " + "4" * 500,
            ("64",),
        ),
        ("reads 2.5 and `3.5`", "x", ("2.5", "3.5")),
    ],
)
def test_numbers_that_are_missing(claim: str, excerpt: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, excerpt) == missing


@pytest.mark.parametrize(
    "reference",
    [
        "",
        ".",
        " (Table 3).",
        " (see Table 3)",
        ", see Table 3.",
        " (Sec. 5.4)",
        " (§5.4)",
        " [12]",
        " (2017)",
        " [2017].",
        " (see 2017).",
        " (Vaswani et al., 2017).",
        " (Vaswani et al., 2017, Table 3).",
        " (Vaswani, 2017, Table 3).",
        " (Devlin 2018)",
    ],
)
@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("transformer_big has P_drop = 0.1", ("0.1",)),
        ("P_drop = 0.1", ("0.1",)),
        ("It uses 0.1", ("0.1",)),
        ("a rate of 0.1", ("0.1",)),
        ("it has Dropout = 0.1", ("0.1",)),
        ("it has Dropout 0.1", ("0.1",)),
        ("num_heads is 17", ("17",)),
        ("num_heads is 16", ()),
        ("residual_dropout of 0.3", ()),
    ],
)
def test_a_reference_behind_a_number_leaves_the_number(
    claim: str, missing: tuple[str, ...], reference: str
) -> None:
    assert ungrounded(claim + reference, BIG, file=lambda: BIG) == missing


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("steps = 17", ("17",)),
        ("runs while step < 17", ("17",)),
        ("at 2018 steps", ("2018",)),
        ("by 2000 and 4000", ("2000", "4000")),
        ("from 2000 to 4000", ("2000", "4000")),
        ("from 2010.5", ("2010.5",)),
        ("by 2000x", ("2000",)),
        ("at 2048", ("2048",)),
        ("x[2000]", ("2000",)),
    ],
)
def test_numbers_that_look_like_references(claim: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, BIG) == missing


@pytest.mark.parametrize(
    "claim",
    [
        "0, 1, 2, 3 and -1, 1.0, half of it: 0.5, 50%, ½, 100%",
        # digits of names
        "GPT-2 and GPT\u20114, BERT-340, L-22, WMT'17, UTF-16, SHA384/512, Latin-15, x86-64, conv7, R2D2, H100",
        "3D and 4d arrays, x_{12}, $W_{12}$, a_12, β12",
        "x^4, $x^{12}$, x³, d⁴",
        # versions
        "v1.0.14, 3.11.7, Python 3.11, version 12, TensorFlow 1.4, TLS 1.3, Python < 3.10, 3.8+, since 2.7, new in 4.5",
        "with numpy 1.26 or PyTorch >= 2.4, 3.6 and later, Windows before 6.1",
        # dates
        "in 2019, (2017), Vaswani et al. 2017, 2019-11-05, 5 November 2019, May 2018, 12:30",
        "11/05/2019, 2023-12-01T10:30:59Z, at 5 p.m.",
        "at 2018, by 2019; from 1998. See 2017 (see 2017), [2017], (2017a; 2018b), see also 2017, as at 2039",
        "(Vaswani, 2017, Table 3), (Devlin 2018), (Radford, 2019)",
        "It speaks TLS 1.3. They ask for FooBar >= 2.5, FooBar == 2.5.",
        "Copyright 2005-2026 by 12 people",
        "the 2017 paper, IDNA 2008",
        # ordinals and references
        "Python 3.11 and older; what 3.11 has",
        "50 %, 50/50, 5/10, 1/2",
        "the 5th and the 22nd",
        "section 5.4, §7.2, figure 4, Fig. 12, table 5, equation (7), Eq. (12)-(14), step 4",
        "lines 99–103, page 42, p. 12, chapter 11",
        "#123, [12], RFC 7231, PEP 484, issue 42, pull request #77, ISO 8601, IEEE 754, sections 4 and 5",
        "model.py:123, https://example.org/42/7, commit 9b63575ef427, me42@example.org, src/v7/a12.py, example42.com/x",
        "1. first\n4. then\n(5) last",
        "it does: 4. this, 5. that",
        # other
        "1, 2, 5, 10, … and so on",
        "a class such as [0-9a-f], the digits 0-9",
        "e.g. 4711, or 12 of them; for example 99.",
        r"the codes \x80 and U+3002 and 007",
        "TODO(rs): this",
        "ten, twelve and forty",
        "2^9999 and " + "9" * 500 + "k",
        "",
        "   ",
    ],
)
def test_what_is_no_statement(claim: str) -> None:
    assert ungrounded(claim, "pass", file=lambda: "x = 1") == ()


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        ("hidden_size is given", "def f(hidden_size):"),
        ("hidden_size is given", "def f(hiddenSize):"),
        ("HIDDEN_SIZE is given", "hidden_size"),
        ("the relu_density", "relu_density_logit(h)"),
        ("`relu` is applied", "tf.nn.relu(x)"),
        ("`relu` is applied", "relu_density_logit(h)"),
        ("`ReLU` is applied", "x = Relu6(x)"),
        ("`layernorm` it is", "self.layer_norm(x)"),
        ("`LayerNorm` it is", "self.layer_norm(x)"),
        ("`layer_norm` it is", "nn.LayerNorm(d)"),
        ("`LayerNorms`", "layer_norm"),
        ("`tags` are asked", "--no-tag"),
        ("`HTTPServer` answers", "import http_server"),
        ("tf.layers.conv2d does it", "conv2d(x)"),
        ("nn.Dropout does it", "self.dropout(x)"),
        ("std::vector holds it", "vector<int> v;"),
        ("self->size is read", "size"),
        ("toString() is called", "to_string(x)"),
        ("conv1d(x, nf) is called", "conv1d"),
        ("maxLength is set", "max_length = 1"),
        ("utf16le is read", "'utf-16-le'"),
        ("--no-tags is given", "['fetch', '--no-tags']"),
        ("--no-tags is given", "no_tags=True"),
        ("`target-space` embedding", "emb_target_space"),
        ("`a_total-b_used` is left", "a_total - b_used"),
        ("<code>c_fc &amp; gelu</code>", "gelu(c_fc)"),
        ("``c_fc`` and `` `gelu` ``", "gelu(c_fc)"),
        ("the weight c\\_proj", "c_proj"),
        ("`Größe` is read", "größe = 1"),
        ("`softmax()` and softmax() weigh", "x = softmax"),
        ("`SAME` padding is used", 'conv(x, padding="SAME")'),
        ("`if x is None: return` at once", "pass"),
        ("`self`, `True`, `int`, `x`, `[]`", "pass"),
    ],
)
def test_grounded_names(claim: str, excerpt: str) -> None:
    assert ungrounded(claim, excerpt) == ()


@pytest.mark.parametrize(
    ("claim", "excerpt", "missing"),
    [
        ("The c_proj contraction", "conv1d(h, 'c_fc', nx)", ("c_proj",)),
        ("`c_proj` and c_proj", "pass", ("c_proj",)),
        ("w_init_stdev is the deviation", "pass", ("w_init_stdev",)),
        ("uses tf.layers.conv2d", "tf.layers.conv1d", ("tf.layers.conv2d",)),
        ("uses nn.Dropout (twice)", "pass", ("nn.Dropout",)),
        ("calls gelu(x) first", "relu(x)", ("gelu",)),
        ("calls gelu() first", "relu(x)", ("gelu",)),
        ("calls f(x), gelu(…)", "f(x)", ("gelu",)),
        ("toString is called", "pass", ("toString",)),
        ("conv1d is a convolution", "conv2d", ("conv1d",)),
        ("--no-tags is given", "--tags", ("--no-tags",)),
        ("`git fetch --no-tags`", "git fetch", ("--no-tags",)),
        ("`softplus(x, beta=20)`", "relu(x)", ("softplus", "beta", "20")),
        ("`x = norm(y)` at once", "pass", ("norm",)),
        ("`LayerNorm` it is", "x", ("LayerNorm",)),
        ("`relu`", "prelude(reluctant)", ("relu",)),
        ("<code>gelu</code> is <b>it</b>", "relu", ("gelu",)),
        ("<tt>gelu</tt>", "relu", ("gelu",)),
        ("```\ngelu(x)\n```", "relu", ("gelu",)),
        ("the second: b_two, the first: a_one", "x", ("b_two", "a_one")),
        ("MAX_LEN is kept", "x", ("MAX_LEN",)),
        (":func:`gelu` is called", "x", ("gelu",)),
        ("`Foo#bar`", "foo", ("bar",)),
    ],
)
def test_names_that_are_missing(claim: str, excerpt: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, excerpt) == missing


@pytest.mark.parametrize(
    "claim",
    [
        "layer(s), value(s), function(al), O(n), f(x), N(0, 1), max(0, x), tanh(x), softmax(QK)",
        "e.g. this, i.e. that, a.k.a. it, U.S. English, at 5 p.m., end.The next",
        "x_e, W_1, a_ij, $d_model$, $h_{attention}$, \\(hidden_size\\), \\[w_init\\]",
        "github.com, example.org, docs.python.org, model.py, src/nn/model.py, /usr/lib/x_y, ./a_b, config.json, *.yaml",
        "arXiv, macOS, iPhone, cuDNN, word2vec, seq2seq, conv1x1, camelCase, snake_case",
        "GPT2MLP, LayerNorm, PyTorch, ReLU, BPE, JSON, MLP, sha256, __init__, _emphasis_, __bold__",
        "[batch, source_length, num_heads], of the shape (batch_size, d_ff), of shape [batch_size][num_heads]",
        "tuple(a_b), list(x), int(x)",
        ":rfc:`section_two` and `a_title <https://example.org>`_ and `other_title`_",
        "the member `name', which may be a path, `path'",
        "the words `nothing to see here` say nothing",
        "well-known, a -- b, x --- y, and/or, 50/50",
        "e.g. `some_name` or other_name; fine",
        "multi-head_attention{x}",
        "pair(of words here), note(see below)",
    ],
)
def test_what_is_no_name(claim: str) -> None:
    assert ungrounded(claim, "pass", file=lambda: "x = 1") == ()


@pytest.mark.parametrize(
    ("claim", "file", "missing"),
    [
        ("LayerNorm comes first", "class LayerNorm(nn.Module):", ("LayerNorm",)),
        ("LayerNorm comes first", "self.ln = nn.LayerNorm", ("LayerNorm",)),
        ("LayerNorm comes first", "x = LayerNorm(d)", ("LayerNorm",)),
        ("LayerNorm comes first", "from torch.nn import LayerNorm", ("LayerNorm",)),
        ("LayerNorm comes first", "LayerNorm = None", ("LayerNorm",)),
        ("LayerNorm comes first", "LayerNorm.forward(x)", ("LayerNorm",)),
        ("LayerNorm comes first", "# LayerNorm (or not). LayerNorm\nLayerNormal(x)", ()),
        ("LayerNorm comes first", "MyLayerNorm(x)", ()),
        ("LayerNorm comes first", "isinstance(x, LayerNorm)", ()),
        ("__file__ is set", "f(__file__)", ()),
        ("LayerNorm comes first", "# LayerNorm\n" * 2_000, ()),
        ("GPT2MLP does it", "class GPT2MLP:", ("GPT2MLP",)),
        ("the maintained PyTorch implementation", '"""PyTorch GPT-2 model."""', ()),
        ("sha256 of it", "sha256(data)", ("sha256",)),
        ("__init__ keeps it", "def __init__(self):", ("__init__",)),
        ("_hidden is kept", "self._hidden = 1", ("_hidden",)),
        ("Attention(Q, K) is weighed", "class Attention:", ("Attention",)),
        ("userID is kept", "userID = 1", ("userID",)),
    ],
)
def test_names_of_ideas_count_where_the_file_has_them(
    claim: str, file: str, missing: tuple[str, ...]
) -> None:
    assert ungrounded(claim, "pass", file=lambda: file) == missing
    assert ungrounded(claim, "pass") == ()
    assert ungrounded(claim, f"pass\n{claim}", file=lambda: file) == ()


@pytest.mark.parametrize(
    "claim",
    [
        "d_model = 1024, d_ff = 4096",
        "d_model=1024 and d_ff=4096, P_drop = 0.3",
        "P_drop of 0.3",
        "d_model, d_ff = 1024, 4096",
        "d_model and d_ff of 1024 and 4096",
        "d_in = d_model = 1024",
        "d_model = 1024: all states are d_model wide",
        "d\\_model = 1024",
        "ε_drop = .3",
        "P_drop = `0.3`, d_model = $1024$",
        "d_model = `hidden_size`",
    ],
)
def test_notation_is_no_name(claim: str) -> None:
    assert ungrounded(claim, BIG) == ()
    assert ungrounded(claim, BIG, file=lambda: f"# {claim}\n{BIG}") == ()


@pytest.mark.parametrize(
    ("claim", "file", "missing"),
    [
        ("d_model = 1024", "hparams.d_model = 1", ("d_model",)),
        ("d_model = 1024", "d_model = 1", ("d_model",)),
        ("d_model = 1024", "def f(x, d_model=1):", ("d_model",)),
        ("d_model = 1024", "nn.Linear(d_model, d_ff)", ("d_model",)),
        ("d_model = 1024", "y = f(x=1, d_model=2)", ("d_model",)),
        ("d_model = 1024", "a tensor (batch, d_model) of [batch, d_model]", ()),
        ("d_model = 1024", "# as in f(x, d_model)", ()),
        ("d\\_model = 1024", "nn.Linear(d_model)", ("d\\_model",)),
        ("`d_model` = 1024", "pass", ("d_model",)),
        ("`d_model` is wide: d_model = 1024", "pass", ("d_model",)),
        ("the d_model", "pass", ("d_model",)),
        ("d_model of it", "pass", ("d_model",)),
        ("hid_model = 1024", "pass", ("hid_model",)),
        ("d_model_size = 1024", "pass", ("d_model_size",)),
        ("d_model = 17", "pass", ("17",)),
    ],
)
def test_notation_that_is_a_name_nevertheless(claim: str, file: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, BIG, file=lambda: file) == missing


@pytest.mark.parametrize("claim", ["32 rows, `gelu` and c_fc", "word2vec is grounded here", "nothing"])
def test_the_file_is_asked_for_only_where_it_matters(claim: str) -> None:
    def file() -> str:
        pytest.fail("the whole file was asked for")

    ungrounded(claim, "word2vec", file=file)


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("common_layers and `models`, tensor2tensor.models.common_layers", ()),
        ("common_attention", ("common_attention",)),
    ],
)
def test_a_claim_may_name_the_path(claim: str, missing: tuple[str, ...]) -> None:
    assert ungrounded(claim, "pass", path="tensor2tensor/models/common_layers.py") == missing


NAMES = st.from_regex(r"[a-zA-Z]{2}[a-zA-Z0-9_]{0,10}", fullmatch=True)
NUMBERS = st.one_of(
    st.integers(0, 10**12).map(str),
    st.decimals(0, 1000, places=3).map(str),
    st.floats(1e-9, 1e9).map(lambda value: f"{value:.3e}"),
)
LINES = st.lists(
    st.builds("{} = {}({}, {})".format, NAMES, NAMES, NAMES, NUMBERS) | st.text(max_size=40), max_size=6
).map("\n".join)
SIGNS = """
    ` `` $ \\( \\) [ ] ( ) { } < > <code> </code> -- . , ; : _ ^ ** % × − ² ⁻⁶ ½ 0 1 4 12 512 1e9 -1e9 1,024 0x1F
    2^16 4k e.g. section RFC Python May 2017 in c_proj tf.nn.relu LayerNorm relu(x) conv1d :func: # / \\ \\_ \u202e Ä
"""
SCRAPS = st.sampled_from(SIGNS.split())
CLAIMS = st.one_of(
    st.text(max_size=80),
    st.lists(SCRAPS, max_size=12).flatmap(
        lambda scraps: st.sampled_from(["", " "]).map(lambda gap: gap.join(scraps))
    ),
)


@given(st.lists(NAMES | NUMBERS, min_size=1, max_size=8), st.booleans())
@settings(max_examples=300, deadline=None)
def test_the_words_of_the_lines_are_grounded(words: list[str], quoted: bool) -> None:
    claim = " and ".join(f"`{word}`" if quoted else word for word in words)
    excerpt = "\n".join(f"f({word})" for word in words)
    assert ungrounded(claim, excerpt, file=lambda: excerpt) == ()


@given(CLAIMS, LINES, LINES)
@settings(max_examples=300, deadline=None)
@example("512", "512 *", "4")
@example("6", "2 * 3", "** 4")
def test_more_lines_never_add_an_alarm(claim: str, excerpt: str, more: str) -> None:
    missing = set(ungrounded(claim, excerpt, file=lambda: claim))
    assert missing.issuperset(ungrounded(claim, f"{excerpt}\n{more}", file=lambda: claim))
    assert missing.issuperset(ungrounded(claim, f"{more}\n{excerpt}", file=lambda: claim))


@given(CLAIMS, LINES, st.text(max_size=20))
@settings(max_examples=500, deadline=None)
def test_any_text_is_answered(claim: str, excerpt: str, path: str) -> None:
    missing = ungrounded(claim, excerpt, path=path, file=lambda: claim)
    assert len(set(missing)) == len(missing)
    starts = [claim.index(text) for text in missing]
    assert all(text.strip() for text in missing)
    assert len(starts) == len(missing)
    assert ungrounded(claim, excerpt, path=path, file=lambda: claim) == missing


LONG = 200_000
"""Characters of a claim or of lines; what is quadratic takes hours with so many."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *(
            "`",
            "` ``",
            "<code>",
            "<",
            "$",
            "$a",
            "\\(",
            "[",
            "[,",
            "(",
            "a(",
            "aa(b",
            "_",
            "a_",
            "a",
            "aA",
            "aaa1",
            ".",
            "a.",
        ),
        *(
            "a/",
            "/",
            "@",
            "a@",
            "-",
            "--a",
            "a-",
            "1",
            "1,",
            "1.",
            "1, ",
            "1/",
            "^1",
            "2^1",
            "²",
            "1e",
            "0x",
            ":",
            "a:b ",
        ),
        *(
            "e.g. ",
            "for example",
            "section ",
            "section 1,",
            "(c) ",
            "{",
            "\\frac{",
            "1 000 ",
            "a_b c_d ",
            "ab1 ",
            "Aa1 ",
        ),
        *(
            "12 ",
            "abc_{} ",
            "LayerNorm ",
            "x" * 300 + "_y ",
            "d_ff, ",
            "d_ff=",
            "d_ff and ",
            "at 2018 ",
            "(2018,",
        ),
    ],
)
def test_a_long_claim(unit: str) -> None:
    claim = "some_name " + unit * (LONG // len(unit))
    assert ungrounded(claim, "pass", file=lambda: "pass")[0] == "some_name"


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "a_",
        "aB",
        "a-",
        "1",
        "1 * ",
        "2 ** ",
        "1.",
        "-",
        "- (",
        "0x1",
        "1_",
        "LayerNorm ",
        "\n",
        "é",
        "relu",
        "10^",
        "1e",
        "f(d_model, ",
        "d_model,",
    ],
)
def test_long_lines(unit: str) -> None:
    excerpt = unit * (LONG // len(unit))
    claim = " ".join(f"some_name_{n} and {n}7.5" for n in range(300)) + " LayerNorm d_model = 12"
    missing = ungrounded(claim, excerpt, file=lambda: excerpt)
    assert "some_name_299" in missing


@pytest.mark.slow
def test_many_distinct_names_and_numbers_on_both_sides() -> None:
    claim = " ".join(f"left_{n} {n + 1000}" for n in range(40_000))
    excerpt = "\n".join(f"right_{n} = {n}" for n in range(150_000))
    missing = ungrounded(claim, excerpt)
    assert missing[0] == "left_0"
    assert not re.search(r"(?<!_)\b[0-9]", " ".join(missing))
