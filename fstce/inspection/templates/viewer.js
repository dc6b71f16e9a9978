// A drawing of one machine: pan, zoom, search, hover, a path; from the keyboard too.

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 90; // states of a part of a machine that is too large to be drawn whole
let count = 0;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

const digits = value => Number.isFinite(value) ? String(+value.toPrecision(4)) : value > 0 ? "∞" : "−∞";

// The machine's lists as sets and graphs, once.
function prepared(machine) {
  machine.weight ??= new Float64Array(machine.source.length);
  machine.final = new Map(machine.finals);
  machine.leaving = outgoing(machine.states, machine.source);
  machine.entering = outgoing(machine.states, machine.next);
  machine.label = machine.source.map((_, arc) => {
    const [a, b] = [machine.symbols[machine.in[arc]], machine.symbols[machine.out[arc]]];
    return a === b ? a : `${a}:${b}`;
  });
  const order = machine.partial ? null : topological(machine.states, machine.source, machine.next);
  if (order && machine.start >= 0) {
    const final = new Float64Array(machine.states).fill(-Infinity);
    for (const [state, weight] of machine.final) final[state] = -weight;
    const graph = {n: machine.states, source: machine.source, target: machine.next, order,
      out: machine.leaving, start: machine.start, final};
    machine.posterior ??= sums(graph, Float64Array.from(machine.weight, weight => -weight)).posterior;
    const final0 = final.map(weight => weight === -Infinity ? weight : 0);
    const paths = sums({...graph, final: final0}, new Float64Array(machine.source.length));
    machine.count = paths.posterior.map(share => share * Math.exp(paths.logZ)); // paths through each arc
  }
  return machine;
}

// Columns by the distance from some states, for what Python did not lay out.
function local(machine, seeds) {
  const column = new Map(seeds.map((state, i) => [state, i]));
  const some = seeds.length > 1 ? 3 : ROOM; // of a path only a few ways that branch off are shown
  for (let ring = [...seeds]; ring.length && column.size < ROOM;) {
    const further = [];
    for (const state of ring) {
      for (const arc of machine.leaving[state].slice(0, some)) see(machine.next[arc], column.get(state) + 1);
      if (seeds.length === 1) for (const arc of machine.entering[state]) see(machine.source[arc], column.get(state) - 1);
    }
    if (seeds.length > 1) break;
    ring = further;
    function see(state, place) {
      if (column.size >= ROOM || column.has(state)) return;
      column.set(state, place);
      further.push(state);
    }
  }
  const rows = new Map(), at = new Map(), first = Math.min(...column.values());
  for (const [state, place] of column) {
    if (!rows.has(place)) rows.set(place, []);
    rows.get(place).push(state);
  }
  for (const [place, states] of rows)
    states.forEach((state, row) => at.set(state, [(place - first) * 130 + 40, (row - (seeds.includes(states[0]) ? 0 : (states.length - 1) / 2)) * 30]));
  const joined = new Map();
  for (const state of column.keys())
    for (const arc of machine.leaving[state]) {
      if (!column.has(machine.next[arc]) || seeds.length > 1 && !seeds.includes(state)) continue;
      const key = `${state} ${machine.next[arc]}`;
      if (!joined.has(key)) joined.set(key, []);
      joined.get(key).push(arc);
    }
  const curves = [...joined].map(([key, arcs]) => {
    const [source, target] = key.split(" ").map(Number), [x, y] = at.get(source), [u, v] = at.get(target);
    const label = arcs.slice(0, 3).map(arc => machine.label[arc]).join(", ") + (arcs.length > 3 ? ` +${arcs.length - 3}` : "");
    const bow = u > x ? 0 : 40;
    const path = source === target ? `M${x - 4},${y - 6} C${x - 20},${y - 32} ${x + 20},${y - 32} ${x + 4},${y - 7}`
      : `M${x + 7},${y} C${(x + u) / 2},${y + bow} ${(x + u) / 2},${v + bow} ${u - 8},${v}`;
    const middle = source === target ? [x, y - 34] : [(x + u) / 2, (y + v) / 2 + 0.75 * bow];
    return [source, target, path, label, ...middle, 7 * label.length, arcs];
  });
  const xs = [...at.values()].map(p => p[0]), ys = [...at.values()].map(p => p[1]);
  const [left, top] = [Math.min(...xs) - 40, Math.min(...ys) - 50];
  return {states: [...at].map(([state, [x, y]]) => [state, x, y]), curves,
    box: [left, top, Math.max(...xs) - left + 60, Math.max(...ys) - top + 40]};
}

class Viewer {
  constructor(section, machine) {
    const pane = section.querySelector(".picture");
    this.section = section;
    this.find = name => section.querySelector(name);
    this.svg = pane.querySelector("svg");
    this.status = pane.querySelector("output");
    this.scale = pane.querySelector(".scale");
    this.load(machine);
    this.listen();
  }

  load(machine) {
    this.machine = machine;
    this.marked = new Set();
    this.path = null;
    const choice = this.find("[name=thickness]");
    for (const option of choice.options) option.disabled = option.value !== "alike" && !this.thickness(option.value);
    if (choice.selectedOptions[0].disabled) choice.value = "alike";
    this.show(machine.drawing || local(machine, [Math.max(machine.start, 0)]));
    if (this.find("[name=path]").value) this.highlight(this.find("[name=path]").value, this.find("[name=side]")?.value || "input");
  }

  show(drawing) {
    const id = `head-${count++}`, arrow = (name, kind) => {
      const marker = shape("marker", {id: name, viewBox: "0 0 8 6", refX: 7.5, refY: 3, orient: "auto",
        markerUnits: "userSpaceOnUse", markerWidth: 9.6, markerHeight: 7.2});
      marker.append(shape("path", {d: "M0,0 L8,3 L0,6 L2,3 Z", class: kind}));
      return marker;
    };
    const defs = shape("defs"), curves = shape("g", {class: "curves"}), states = shape("g", {class: "states"}),
      labels = shape("g", {class: "labels"});
    defs.append(arrow(id, "arrow"), arrow(`${id}-on`, "arrow on"));
    this.head = id;
    this.drawing = drawing;
    this.curves = drawing.curves.map(([source, target, d, label, x, y, width, arcs]) => {
      const path = shape("path", {d, "marker-end": `url(#${id})`}), wide = shape("path", {d, class: "hit"});
      const lines = label.split("\n"), top = y - 7.5 * (lines.length - 1), text = shape("g");
      text.append(...lines.map((line, i) => shape("text", {x, y: top + 4.5 + 15 * i}, line)));
      const back = shape("rect", {x: x - width * 0.45, y: top - 6, width: width * 0.9, height: 15 * lines.length - 3});
      curves.append(wide, path);
      labels.append(back, text);
      const curve = {source, target, path, text, arcs, x, y};
      for (const part of [wide, path, back, ...text.children]) part.curve = curve;
      return curve;
    });
    this.places = new Map();
    for (const [state, x, y] of drawing.states) {
      const group = shape("g", {class: state === this.machine.start ? "start" : ""});
      group.append(shape("circle", {cx: x, cy: y, r: 7}));
      if (this.machine.final.has(state)) {
        group.append(shape("circle", {cx: x, cy: y, r: 4}));
        const weight = this.machine.final.get(state);
        if (weight) labels.append(shape("text", {x, y: y + 20, class: "final"}, `/${digits(weight)}`));
      }
      labels.append(shape("text", {x: x - 8, y: y - 7, class: "number"}, String(state)));
      group.state = state;
      states.append(group);
      this.places.set(state, {group, x, y});
    }
    this.svg.replaceChildren(defs, curves, states, labels);
    this.thicken();
    this.mark();
    this.fit();
  }

  // As wide as the drawing where its letters can be read so; else its beginning.
  fit() {
    const [left, top, width, height] = this.drawing.box, room = this.svg.clientWidth || 900;
    const tall = Math.min(Math.max(height * Math.min(1, room / width), 120), 460);
    const scale = Math.max(Math.min(room / width, tall / height, 1.6), Math.min(0.7, room / width * 2));
    this.svg.style.height = `${Math.round(Math.min(height * scale, 460))}px`;
    this.view = [left - Math.max(room / scale - width, 0) / 2, top, room / scale, (this.svg.clientHeight || tall) / scale];
    if (this.view[3] > height) this.view[1] -= (this.view[3] - height) / 2;
    else { // the start in the middle, as far as there is more above and below
      const middle = (this.places.get(this.machine.start)?.y ?? 0) - this.view[3] / 2;
      this.view[1] = Math.min(Math.max(middle, top), top + height - this.view[3]);
    }
    this.look();
  }

  look() { this.svg.setAttribute("viewBox", this.view.map(value => value.toFixed(1)).join(" ")); }

  zoom(by, x = 0.5, y = 0.5) {
    const [left, top, width, height] = this.view;
    if (width / by < 60 || width / by > 40000) return;
    this.view = [left + x * width * (1 - 1 / by), top + y * height * (1 - 1 / by), width / by, height / by];
    this.look();
  }

  pan(x, y) {
    this.view[0] += x;
    this.view[1] += y;
    this.look();
  }

  // What thickness may say of each arc, and of how much it is a share; null where it has no such number.
  thickness(what) {
    const {machine} = this;
    const values = what === "weight" ? machine.weight.map?.(weight => Math.exp(-weight)) : what === "count" ? machine.count : machine.posterior;
    if (!values || what === "alike") return null;
    return [values, what === "posterior" ? 1 : Math.max(1e-300, ...this.curves?.map(curve => curve.arcs.reduce((sum, arc) => sum + values[arc], 0)) ?? [])];
  }

  thicken() {
    const what = this.find("[name=thickness]").value, [values, most] = this.thickness(what) ?? [null, 1];
    for (const curve of this.curves) {
      const share = values ? Math.min(curve.arcs.reduce((sum, arc) => sum + values[arc], 0) / most, 1) : null;
      curve.path.style.strokeWidth = share === null ? 1.2 : 0.5 + 3 * share;
    }
    const name = {posterior: "posterior", weight: "e to the −weight", count: "paths"}[what];
    this.scale.replaceChildren(...(values ? [`${name}: `, ...[0.1, 0.5, 1].flatMap(share =>
      [element("i", {style: `border-top-width: ${0.5 + 3 * share}px`}), ` ${digits(share * most)} `])] : []));
  }

  mark() {
    for (const curve of this.curves) {
      const on = curve.arcs.some(arc => this.marked.has(arc));
      for (const part of [curve.path, curve.text]) part.classList.toggle("on", on);
      curve.path.setAttribute("marker-end", `url(#${this.head}${on ? "-on" : ""})`);
    }
    const states = new Set();
    for (const arc of this.marked) states.add(this.machine.source[arc]).add(this.machine.next[arc]);
    for (const [state, {group}] of this.places) group.classList.toggle("on", states.has(state));
  }

  say(text) { this.status.textContent = text; }

  sayArcs(curve) {
    const {machine} = this;
    const shown = curve.arcs.slice(0, 6).map(arc => {
      const facts = [machine.weight[arc] ? `weight ${digits(machine.weight[arc])}` : "",
        machine.posterior ? `posterior ${digits(machine.posterior[arc])}` : ""].filter(Boolean);
      return machine.label[arc] + (facts.length ? ` (${facts.join(", ")})` : "");
    });
    const more = curve.arcs.length > 6 ? ` and ${curve.arcs.length - 6} more` : "";
    this.say(`${curve.source} → ${curve.target}: ${shown.join("; ")}${more}`);
  }

  sayState(state) {
    const {machine} = this, weight = machine.final.get(state);
    const kinds = [state === machine.start ? "start" : "", weight !== undefined ? `final${weight ? ` with weight ${digits(weight)}` : ""}` : ""];
    this.say(`state ${state}${kinds.filter(Boolean).map(kind => `, ${kind}`).join("")}; ` +
      `${machine.leaving[state].length} arcs leave, ${machine.entering[state].length} enter`);
  }

  // Show a state: where it is drawn, or its surroundings.
  go(state) {
    if (!this.places.has(state)) {
      if (!(state >= 0 && state < this.machine.states)) return this.say(`there is no state ${state} here`);
      this.show(local(this.machine, [state]));
    }
    const place = this.places.get(state);
    if (!place) return;
    this.view[0] = place.x - this.view[2] / 2;
    this.view[1] = place.y - this.view[3] / 2;
    this.look();
    for (const {group} of this.places.values()) group.classList.remove("found");
    place.group.classList.add("found");
    this.sayState(state);
  }

  search(text) {
    const wanted = text.trim();
    for (const {group} of this.places.values()) group.classList.remove("found");
    for (const curve of this.curves) curve.text.classList.remove("found");
    if (!wanted) return;
    if (/^\d+$/.test(wanted) && +wanted < this.machine.states && !this.machine.symbols.includes(wanted)) return this.go(+wanted);
    const arcs = this.machine.label.flatMap((label, arc) => label.split(":").includes(wanted) || label === wanted ? [arc] : []);
    const found = new Set(arcs.length ? arcs : this.machine.label.flatMap((label, arc) => label.includes(wanted) ? [arc] : []));
    if (!found.size) return this.say(`no arc has “${wanted}”`);
    let drawn = this.curves.filter(curve => curve.arcs.some(arc => found.has(arc)));
    if (!drawn.length) {
      this.show(local(this.machine, [this.machine.source[[...found][0]]]));
      drawn = this.curves.filter(curve => curve.arcs.some(arc => found.has(arc)));
    }
    for (const curve of drawn) curve.text.classList.add("found");
    if (drawn.length) {
      this.view[0] = drawn[0].x - this.view[2] / 2;
      this.view[1] = drawn[0].y - this.view[3] / 2;
      this.look();
    }
    this.say(`“${wanted}”: ${found.size} ${found.size === 1 ? "arc" : "arcs"}`);
  }

  // Words by blanks; where a word is no symbol, its letters; where there are no symbols, bytes.
  tokens(text) {
    const {machine} = this, number = new Map(machine.symbols.map((symbol, i) => [symbol, i]));
    const words = text.trim().split(/\s+/).filter(Boolean);
    let units = words;
    if (!words.every(word => number.has(word))) units = [...text.trim()];
    if (machine.bytes && !words.every(word => number.has(word)))
      units = [...new TextEncoder().encode(text.trim())].map(String);
    return units.map(unit => number.has(unit) ? new Set([number.get(unit)]) : new Set());
  }

  highlight(text, side) {
    this.marked.clear();
    this.path = null;
    if (!text.trim()) return void this.mark();
    this.path = bestPath(this.machine, this.tokens(text), side);
    if (!this.path) {
      this.mark();
      return this.say(`“${text.trim()}” is not accepted${this.machine.partial ? " in the part that this page holds" : ""}`);
    }
    for (const arc of this.path.arcs) this.marked.add(arc);
    if (!this.machine.drawing) {
      const states = [this.machine.start, ...this.path.arcs.map(arc => this.machine.next[arc])];
      this.show(local(this.machine, [...new Set(states)]));
    }
    this.mark();
    const labels = this.path.arcs.map(arc => this.machine.label[arc]).join(" ");
    this.say(`accepted by ${this.path.arcs.length} arcs, weight ${digits(this.path.cost)}: ${labels}`);
  }

  listen() {
    const {svg} = this;
    svg.addEventListener("pointerover", event => {
      if (event.target.curve) this.sayArcs(event.target.curve);
      else if (event.target.parentNode?.state !== undefined) this.sayState(event.target.parentNode.state);
    });
    svg.addEventListener("click", event => {
      const state = event.target.parentNode?.state;
      if (state !== undefined && !this.machine.drawing) this.go(state);
    });
    svg.addEventListener("pointerdown", event => { this.drag = [event.clientX, event.clientY]; });
    window.addEventListener("pointerup", () => { this.drag = null; });
    svg.addEventListener("pointermove", event => {
      if (!this.drag || event.buttons === 0) return;
      const scale = this.view[2] / svg.clientWidth;
      this.pan((this.drag[0] - event.clientX) * scale, (this.drag[1] - event.clientY) * scale);
      this.drag = [event.clientX, event.clientY];
    });
    svg.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }, {passive: false});
    let step = -1;
    svg.addEventListener("keydown", event => {
      const far = this.view[2] / 8, curves = this.curves.length;
      const keys = {
        ArrowLeft: () => this.pan(-far, 0), ArrowRight: () => this.pan(far, 0),
        ArrowUp: () => this.pan(0, -far), ArrowDown: () => this.pan(0, far),
        "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.fit(),
        n: () => this.sayArcs(this.curves[step = (step + 1) % curves]),
        p: () => this.sayArcs(this.curves[step = (Math.max(step, 0) + curves - 1) % curves]),
      };
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || !curves && /[np]/.test(event.key)) return;
      event.preventDefault();
      keys[event.key]();
      if (/[np]/.test(event.key)) {
        for (const curve of this.curves) curve.text.classList.toggle("found", curve === this.curves[step]);
      }
    });
    this.find("[name=find]").addEventListener("input", event => this.search(event.target.value));
    const path = () => this.highlight(this.find("[name=path]").value, this.find("[name=side]")?.value || "input");
    this.find("[name=path]").addEventListener("input", path);
    this.find("[name=side]")?.addEventListener("change", path);
    this.find("[name=thickness]").addEventListener("change", () => this.thicken());
    for (const name of ["numbers", "finals"]) {
      const box = this.find(`[name=${name}]`), turn = () => svg.classList.toggle(name, box.checked);
      box.addEventListener("change", turn);
      turn();
    }
    const buttons = {in: () => this.zoom(1.25), out: () => this.zoom(0.8), fit: () => this.fit(),
      whole: () => this.show(this.machine.drawing || local(this.machine, [Math.max(this.machine.start, 0)]))};
    for (const button of this.section.querySelectorAll("button[name]"))
      button.addEventListener("click", buttons[button.name] || (() => {}));
    for (const row of this.section.querySelectorAll("button.string"))
      row.addEventListener("click", () => { this.find("[name=path]").value = row.dataset.text; path(); });
    for (const row of this.section.querySelectorAll("button.state"))
      row.addEventListener("click", () => this.go(+row.dataset.state));
    if (this.find("[name=path]").value) path();
  }
}
