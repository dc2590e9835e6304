// The list of results: filter, search, sort and page through all of them. Without this script the pages stand as they are.
"use strict";

(() => {
  const PER_PAGE = 100;
  const LEVELS = ["failure", "unavailable", "warning", "ok"];
  const KEYS = ["q", "level", "verdict", "repository", "document"];
  const SORTS = ["level", "id", "place", "document", "assurance"];
  const SURENESS = ["commit", "locked", "artifact", ""];

  const table = document.getElementById("list");
  const form = document.getElementById("filter");
  const told = document.getElementById("told");
  const paging = document.getElementById("paging");
  const which = document.getElementById("which");
  if (!table || !form || !told || !paging) return;

  const root = table.dataset.root;
  const body = table.tBodies[0];
  const still = { rows: [...body.rows], told: told.textContent, paging: [...paging.childNodes] };
  const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  let results = [];
  let state = { q: "", level: "", verdict: "", repository: "", document: "", sort: "", down: false, page: 1 };
  let shown = null;

  // What a row of the data means, by name.
  const read = (row, at, repositories, documents) => ({
    at,
    level: row[0],
    verdict: row[1],
    id: row[2],
    title: documents[row[3]][0],
    document: documents[row[3]][1],
    line: row[4],
    repository: repositories[row[5]],
    path: row[6],
    first: row[7],
    last: row[8],
    assurance: row[9],
    claim: row[10],
    page: row[11],
    file: row[12],
  });

  const place = (item) =>
    item.first === null ? item.path : `${item.path}:${item.first === item.last ? item.first : `${item.first}-${item.last}`}`;

  const text = (item) => {
    item.text ??= [item.id, item.path, item.claim, item.title, item.document, item.repository, item.verdict]
      .join("\n")
      .toLowerCase();
    return item.text;
  };

  const compare = {
    level: (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level),
    id: (a, b) => words.compare(a.id, b.id),
    place: (a, b) =>
      words.compare(a.repository, b.repository) || words.compare(a.path, b.path) || (a.first ?? 0) - (b.first ?? 0),
    document: (a, b) => words.compare(a.document, b.document) || (a.line ?? 0) - (b.line ?? 0),
    assurance: (a, b) => SURENESS.indexOf(a.assurance) - SURENESS.indexOf(b.assurance),
  };

  const found = () => {
    const wanted = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = results.filter(
      (item) =>
        ["level", "verdict", "repository", "document"].every((key) => !state[key] || item[key] === state[key]) &&
        wanted.every((word) => text(item).includes(word)),
    );
    if (state.sort) {
      const order = compare[state.sort];
      const sign = state.down ? -1 : 1;
      kept.sort((a, b) => sign * order(a, b) || a.at - b.at);
    }
    return kept;
  };

  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const link = (address, label, style) =>
    element("a", style ? { href: root + address, class: style } : { href: root + address }, label);

  const cell = (style, ...children) => element("td", { role: "cell", class: style }, ...children);

  const row = (item) => {
    const badge = element(
      "span",
      { class: `badge ${item.level}` },
      element("span", { class: "glyph", "aria-hidden": "true" }),
      item.verdict,
      element("span", { class: "sr" }, ` (${item.level})`),
    );
    const what = cell("what", link(item.page, item.id));
    if (item.claim) what.append(element("span", { class: "claim" }, item.claim));
    const where = cell("place");
    if (item.repository) where.append(element("span", { class: "repo" }, item.repository));
    where.append(item.file ? link(item.file, place(item), "mono") : element("span", { class: "mono" }, place(item)));
    const line = item.line === null ? "" : `:${item.line}`;
    const stated = cell("document", item.title, element("span", { class: "dim mono" }, item.document + line));
    return element("tr", { role: "row" }, cell("verdict", badge), what, where, stated, cell("assurance", item.assurance));
  };

  const isPlain = () => KEYS.every((key) => !state[key]) && !state.sort && state.page === 1;

  const many = (count) => `${count.toLocaleString("en")} result${count === 1 ? "" : "s"}`;

  const turn = (label, page, pages) => {
    if (page < 1 || page > pages) return element("span", { class: "off" }, label);
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      state.page = page;
      keep(true);
      show();
      told.scrollIntoView({ block: "start" });
      const first = body.querySelector("a");
      if (first) first.focus({ preventScroll: true });
    });
    return button;
  };

  const show = () => {
    for (const th of table.tHead.rows[0].cells) {
      if (th.dataset.sort === state.sort) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    }
    for (const counted of document.querySelectorAll(".counts a")) {
      if (counted.hash === `#level=${state.level}`) counted.setAttribute("aria-current", "true");
      else counted.removeAttribute("aria-current");
    }
    if (which) which.hidden = !isPlain();
    if (isPlain()) {
      body.replaceChildren(...still.rows);
      told.textContent = still.told;
      paging.replaceChildren(...still.paging);
      return;
    }
    shown = found();
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    state.page = Math.min(state.page, pages);
    const start = (state.page - 1) * PER_PAGE;
    const here = shown.slice(start, start + PER_PAGE);
    body.replaceChildren(...here.map(row));
    const range = pages > 1 ? `${(start + 1).toLocaleString("en")}–${(start + here.length).toLocaleString("en")} of ` : "";
    told.textContent = shown.length ? range + many(shown.length) : "No result matches";
    paging.replaceChildren(
      ...(pages === 1
        ? []
        : [
            turn("← Previous", state.page - 1, pages),
            element("span", {}, `Page ${state.page} of ${pages}`),
            turn("Next →", state.page + 1, pages),
          ]),
    );
  };

  // The state stands in the address, so that what is seen can be linked.
  const keep = (isStep) => {
    const parts = new URLSearchParams();
    for (const key of KEYS) if (state[key]) parts.set(key, state[key]);
    if (state.sort) parts.set("sort", (state.down ? "-" : "") + state.sort);
    if (state.page > 1) parts.set("page", String(state.page));
    const hash = parts.toString();
    if (location.hash.slice(1) === hash) return;
    const address = hash ? `#${hash}` : location.pathname + location.search;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  };

  const recall = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    for (const key of KEYS) state[key] = parts.get(key) ?? "";
    const sort = parts.get("sort") ?? "";
    state.down = sort.startsWith("-");
    state.sort = SORTS.includes(sort.replace(/^-/, "")) ? sort.replace(/^-/, "") : "";
    state.page = Math.max(1, Number.parseInt(parts.get("page") ?? "1", 10) || 1);
    for (const key of KEYS) form.elements[key].value = state[key];
    for (const key of KEYS) if (form.elements[key].value !== state[key]) state[key] = form.elements[key].value;
  };

  const choices = (name, values) => {
    for (const [value, label] of values) form.elements[name].append(element("option", { value }, label));
  };

  const sortable = (th) => {
    const button = element("button", { type: "button" }, th.textContent.trim());
    button.addEventListener("click", () => {
      state.down = state.sort === th.dataset.sort && !state.down;
      state.sort = th.dataset.sort;
      state.page = 1;
      keep(true);
      show();
    });
    th.replaceChildren(button);
  };

  const listen = () => {
    let waiting = 0;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        for (const key of KEYS) state[key] = form.elements[key].value.trim();
        state.page = 1;
        keep(false);
        show();
      }, 120);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      for (const key of KEYS) form.elements[key].value = state[key] = "";
      Object.assign(state, { sort: "", down: false, page: 1 });
      keep(true);
      show();
    });
    // As a link it would take the place of the state in the address.
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById("main").focus();
    });
    addEventListener("popstate", () => {
      recall();
      show();
    });
    for (const counted of document.querySelectorAll(".counts a")) {
      counted.addEventListener("click", (event) => {
        event.preventDefault();
        const level = new URLSearchParams(counted.hash.slice(1)).get("level");
        state.level = state.level === level ? "" : level;
        form.elements.level.value = state.level;
        state.page = 1;
        keep(true);
        show();
      });
    }
  };

  globalThis.provReport = (data) => {
    results = data.results.map((line, at) => read(line, at, data.repositories, data.documents));
    const verdicts = [...new Set(results.map((item) => item.verdict))].sort();
    choices("verdict", verdicts.map((value) => [value, value]));
    choices("repository", data.repositories.filter(Boolean).sort(words.compare).map((value) => [value, value]));
    const titled = data.documents.map(([title, manifest]) => [manifest, `${title} (${manifest})`]);
    choices("document", titled.sort((a, b) => words.compare(a[1], b[1])));
    for (const th of table.tHead.rows[0].cells) sortable(th);
    form.hidden = false;
    listen();
    recall();
    if (!isPlain()) show();
  };
})();
