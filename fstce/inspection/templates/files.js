// The machine that is shown as a file: OpenFst's, AT&T text, graphviz's, SVG, TikZ.

const symbol = (machine, i) => i === machine.epsilon ? "<epsilon>" : i === machine.any ? "<sigma>" : machine.symbols[i];

// fstcompile's lines, ε and unlisted words spelt as HFST and foma do, the start as state 0.
function attText(machine) {
  const number = state => state === machine.start ? 0 : state === 0 ? machine.start : state;
  const cost = weight => weight ? `\t${Number.isFinite(weight) ? weight : "Infinity"}` : "";
  const spelt = (i, same) => i === machine.epsilon ? "@0@" : symbol(machine, i) !== "<unk>" ? symbol(machine, i)
    : same ? "@_IDENTITY_SYMBOL_@" : "@_UNKNOWN_SYMBOL_@";
  const lines = Array.from({length: machine.states}, () => []);
  machine.source.forEach((source, arc) => {
    const [a, b] = [machine.in[arc], machine.out[arc]];
    const labels = machine.bytes ? [a, b].map(i => i === machine.epsilon ? "0" : machine.symbols[i]) : [a, b].map(i => spelt(i, a === b));
    lines[number(source)].push(`${number(source)}\t${number(machine.next[arc])}\t${labels.join("\t")}${cost(machine.weight[arc])}`);
  });
  for (const [state, weight] of machine.final) lines[number(state)].push(`${number(state)}${cost(weight)}`);
  if (lines.length && !lines[0].length) lines[0].push("0\tInfinity");
  return lines.flat().map(line => `${line}\n`).join("");
}

function dotText(machine) {
  const quoted = text => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  const states = [...machine.final].map(([state, weight]) =>
    `  ${state} [shape=doublecircle${weight ? `, xlabel=${quoted(`/${digits(weight)}`)}` : ""}];`);
  if (machine.start >= 0) states.push(`  ${machine.start} [style=bold];`);
  const arcs = machine.label.map((label, arc) => `  ${machine.source[arc]} -> ${machine.next[arc]} ` +
    `[label=${quoted(label + (machine.weight[arc] ? `/${digits(machine.weight[arc])}` : ""))}];`);
  return ["digraph machine {", "  rankdir=LR;", "  node [shape=circle];", ...states, ...arcs, "}", ""].join("\n");
}

function tikzText(machine, drawing) {
  const point = text => `(${text})`, escape = text => text.replace(/[\\{}$&#^_%~]/g, c => `\\char${c.charCodeAt(0)} `);
  const path = d => d.replace(/M(\S+)/, (_, p) => point(p)).replace(/ L(\S+)/g, (_, p) => ` -- ${point(p)}`)
    .replace(/ C(\S+) (\S+) (\S+)/g, (_, a, b, p) => ` .. controls ${point(a)} and ${point(b)} .. ${point(p)}`);
  const lines = ["\\begin{tikzpicture}[x=.75pt, y=-.75pt, >=stealth, every node/.style={font=\\footnotesize}]"];
  for (const [, , d] of drawing.curves) lines.push(`  \\draw[->] ${path(d)};`);
  for (const [, , , label, x, y] of drawing.curves)
    lines.push(`  \\node[fill=white, inner sep=1pt, align=center] at (${x},${y}) {${label.split("\n").map(escape).join("\\\\")}};`);
  for (const [state, x, y] of drawing.states) {
    const bold = state === machine.start ? ", very thick" : "";
    lines.push(`  \\draw[fill=white${bold}] (${x},${y}) circle[radius=5.25pt];`);
    if (!machine.final.has(state)) continue;
    lines.push(`  \\draw (${x},${y}) circle[radius=3pt];`);
    if (machine.final.get(state)) lines.push(`  \\node at (${x},${y + 20}) {/${digits(machine.final.get(state))}};`);
  }
  return [...lines, "\\end{tikzpicture}", ""].join("\n");
}

// What is shown, with its looks in the file.
function svgText(svg, box) {
  const copy = svg.cloneNode(true), looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-family", "font-size", "font-weight", "text-anchor"];
  const parts = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(part);
    if (style.display === "none" || part.matches(".hit")) parts[i].setAttribute("display", "none");
    else if (part.matches("path, circle, text, rect")) for (const name of looks) parts[i].setAttribute(name, style.getPropertyValue(name));
    parts[i].removeAttribute("class");
    parts[i].removeAttribute("style");
  });
  for (const part of parts) if (part.getAttribute("display") === "none") part.remove();
  for (const name of [...copy.attributes].map(one => one.name)) copy.removeAttribute(name);
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", box[2]);
  copy.setAttribute("height", box[3]);
  copy.style.background = getComputedStyle(svg).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

// OpenFst's vector form: a header, the symbols of each side that has some, then the states with their arcs.
function fstBytes(machine) {
  const bytes = [], view = new DataView(new ArrayBuffer(8)), wide = machine.type === "log64";
  const put = size => { for (let i = 0; i < size; i++) bytes.push(view.getUint8(i)); };
  const int = value => { view.setInt32(0, value, true); put(4); };
  const long = value => { view.setBigInt64(0, BigInt(value), true); put(8); };
  const weight = value => { wide ? view.setFloat64(0, value, true) : view.setFloat32(0, value, true); put(wide ? 8 : 4); };
  const text = value => { const code = new TextEncoder().encode(value); int(code.length); for (const byte of code) bytes.push(byte); };
  int(2125659606); text("vector"); text(machine.type); int(2); int(machine.tables[0] + 2 * machine.tables[1]);
  for (const value of [3, machine.start, machine.states, machine.source.length]) long(value);
  machine.ids.forEach((ids, side) => {
    if (!machine.tables[side]) return;
    const known = Object.entries(ids).filter(([i]) => +i !== machine.epsilon);
    int(2125658996); text("fstce"); long(Math.max(0, ...known.map(([, id]) => id)) + 1); long(known.length + 1);
    text("<epsilon>"); long(0);
    for (const [i, id] of known) { text(symbol(machine, +i)); long(id); }
  });
  for (let state = 0; state < machine.states; state++) {
    weight(machine.final.has(state) ? machine.final.get(state) : Infinity);
    long(machine.leaving[state].length);
    for (const arc of machine.leaving[state]) {
      int(machine.ids[0][machine.in[arc]]); int(machine.ids[1][machine.out[arc]]);
      weight(machine.weight[arc]); int(machine.next[arc]);
    }
  }
  return Uint8Array.from(bytes);
}

const FILES = {
  fst: ({machine}) => fstBytes(machine), att: ({machine}) => attText(machine), dot: ({machine}) => dotText(machine),
  tikz: ({machine, drawing}) => tikzText(machine, drawing), svg: ({svg, drawing}) => svgText(svg, drawing.box),
};

function download(viewer, form) {
  const link = element("a", {download: `machine.${form}`, href: URL.createObjectURL(new Blob([FILES[form](viewer)]))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
