"""How a page looks, and the script that sorts its tables: both stand inside the page itself.

Tables are set as in print: rules above, below and under the headings, none between columns.
Light or dark is the reader's choice; pictures keep a white ground.
"""

from __future__ import annotations

STYLE = """\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #ffffff; --shade: #f4f6f8;
  --line: #d5dae0; --link: #0b5cad; --best: #0a4d8c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e7ec; --soft: #9aa5b1; --paper: #15181c; --shade: #1f2429; --line: #39424c;
    --link: #7ab8f5; --best: #9fd0ff; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 60rem; padding: 2.5rem 1.25rem 4rem; overflow-wrap: break-word;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.8rem 0 .8rem; padding-top: .9rem;
  border-top: 1px solid var(--line); }
p, ul, dl { max-width: 44rem; margin: 0 0 1rem; }
p.lead { font-size: 1.1rem; color: var(--soft); }
a { color: var(--link); }
a.number { color: inherit; font-weight: 600; text-decoration: none; }
a.number:hover { text-decoration: underline; }
nav { background: var(--shade); border-radius: .5rem; padding: .8rem 1.1rem; margin: 1.5rem 0; }
nav ol { margin: 0; padding-left: 1.4rem; columns: 18rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; font-size: .92rem; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; font-variant-numeric: tabular-nums; min-width: 0; }
pre { background: var(--shade); border-radius: .4rem; padding: .7rem .9rem; margin: 0 0 1rem;
  overflow-x: auto; font: .88rem/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.wide { overflow-x: auto; margin: 1.6rem 0 0; }
table { border-collapse: collapse; font-size: .93rem; line-height: 1.4; border-bottom: 2px solid; }
caption, figcaption { text-align: left; font-size: .93rem; line-height: 1.45; padding: 0 0 .5rem; }
caption span { max-width: min(44rem, calc(100vw - 2.5rem)); }
tfoot span { max-width: min(100%, calc(100vw - 3.5rem)); }
caption span, tfoot span { position: sticky; left: 0; display: inline-block; }
thead { border-top: 2px solid var(--ink); border-bottom: 1px solid var(--ink); }
th, td { padding: .28rem .75rem; vertical-align: baseline; text-align: left; }
thead th { font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; }
tbody th:first-child { position: sticky; left: 0; background: var(--paper); }
tbody tr:hover > * { background: var(--shade); }
tbody + tbody { border-top: 1px solid var(--line); }
tr.rule th { font-weight: 600; font-style: italic; color: var(--soft); padding-top: .6rem; }
th.right, td.right { text-align: right; font-variant-numeric: tabular-nums lining-nums; white-space: nowrap; }
th.center, td.center { text-align: center; font-variant-numeric: tabular-nums lining-nums; }
td strong, th strong { font-weight: 700; color: var(--best); }
tfoot { display: table-row-group; border-top: 1px solid var(--ink); }
tfoot td { color: var(--soft); font-size: .87rem; max-width: 0; }
tfoot span { left: .75rem; }
p.files { font-size: .82rem; margin: .35rem 0 1.6rem; }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-align: inherit; position: relative; }
thead button::after { content: "↕"; position: absolute; bottom: 0; right: -.75em; opacity: 0; }
thead button:hover::after, thead button:focus-visible::after, th[aria-sort] button::after { opacity: 1; }
th[aria-sort=ascending] button::after { content: "↑"; }
th[aria-sort=descending] button::after { content: "↓"; }
figure { margin: 1.6rem 0; }
figcaption { padding: .5rem 0 0; max-width: 44rem; }
.card { background: #ffffff; border: 1px solid var(--line); border-radius: .5rem; padding: .75rem;
  overflow-x: auto; width: fit-content; max-width: 100%; }
.card svg { display: block; height: auto; max-width: max(100%, min(28rem, 150vw)); }
footer { margin-top: 3.5rem; border-top: 1px solid var(--line); padding-top: .8rem; color: var(--soft);
  font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 1.5rem 1rem 3rem; } h1 { font-size: 1.5rem; } th, td { padding: .28rem .5rem; } }
@media print {
  :root { --ink: #000000; --soft: #444444; --paper: #ffffff; --shade: #ffffff; --line: #bbbbbb;
    --link: #000000; --best: #000000; }
  html { font-size: 9.5pt; } body { max-width: none; padding: 0; } pre { white-space: pre-wrap; }
  nav, p.files, thead button::after { display: none; }
  .wide, .card { overflow: visible; } .card { border: 0; padding: 0; }
  h2 { break-after: avoid; } figure, tr, pre { break-inside: avoid; } caption { break-after: avoid; }
  .card svg { max-width: 100%; } }
"""

# Rows are sorted within their group, so that rules stay above their rows. Cells without a number come last.
SORT_SCRIPT = """\
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down < 0 ? "descending" : "ascending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter(row => !row.classList.contains("rule"));
        const number = row => parseFloat((row.cells[column].dataset.value ?? "").replace("inf", "Infinity"));
        const text = row => row.cells[column].textContent;
        rows.sort((a, b) => {
          const [x, y] = [number(a), number(b)];
          if (isNaN(x) !== isNaN(y)) return isNaN(x) - isNaN(y);
          if (isNaN(x)) return down * text(a).localeCompare(text(b));
          return x === y ? 0 : down * (x < y ? -1 : 1);
        });
        body.append(...rows);
      }
    });
  });
}
"""
