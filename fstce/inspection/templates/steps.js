// Steps that OpenFst took when the page was made: before and after side by side, what changed coloured.

// Arcs of two machines that are the same, walking both from their starts; each state has one partner.
function compared(a, b) {
  const partner = new Map(), taken = new Set(), queue = [], kept = new Map();
  const pair = (p, q) => {
    if (p < 0 || q < 0 || partner.has(p) || taken.has(q)) return;
    partner.set(p, q);
    taken.add(q);
    queue.push([p, q]);
  };
  pair(a.start, b.start);
  for (const [p, q] of queue) {
    const free = new Set(b.leaving[q]);
    for (const arc of a.leaving[p]) {
      const alike = [...free].filter(other => a.label[arc] === b.label[other]);
      const close = other => (partner.get(a.next[arc]) === b.next[other]) * 2 + (Math.abs(a.weight[arc] - b.weight[other]) < 1e-6);
      const match = alike.sort((one, other) => close(other) - close(one))[0];
      if (match === undefined) continue;
      free.delete(match);
      kept.set(arc, match);
      pair(a.next[arc], b.next[match]);
    }
  }
  const before = {gone: new Set(), altered: new Set(), states: new Map()};
  const after = {fresh: new Set(b.source.keys()), altered: new Set(), states: new Map()};
  for (const arc of a.source.keys()) {
    const match = kept.get(arc);
    if (match === undefined) { before.gone.add(arc); continue; }
    after.fresh.delete(match);
    if (partner.get(a.next[arc]) === b.next[match] && Math.abs(a.weight[arc] - b.weight[match]) < 1e-6) continue;
    before.altered.add(arc);
    after.altered.add(match);
  }
  for (let state = 0; state < a.states; state++) {
    const other = partner.get(state), [one, two] = [a.final.get(state), b.final.get(other)];
    if (other === undefined) before.states.set(state, "gone");
    else if (one !== two && !(Math.abs(one - two) < 1e-6)) { before.states.set(state, "altered"); after.states.set(other, "altered"); }
  }
  for (let state = 0; state < b.states; state++) if (!taken.has(state)) after.states.set(state, "fresh");
  return {before, after};
}

class Steps {
  constructor(section, viewer) {
    this.machines = [viewer.machine, ...viewer.machine.steps];
    this.following = viewer.machine.following;
    this.section = section;
    this.viewer = viewer;
    this.taken = [[0, ""]];
    this.names = [...section.querySelectorAll("button.step")].map(button => button.textContent);
    section.querySelectorAll("button.step").forEach((button, step) => button.addEventListener("click", () => this.take(step)));
    section.querySelector("[name=back]").addEventListener("click", () => { if (this.taken.length > 1) this.taken.pop(); this.show(); });
    section.querySelector("[name=original]").addEventListener("click", () => { this.taken.length = 1; this.show(); });
    this.offer();
  }

  take(step) {
    const result = this.following[this.taken.at(-1)[0]][step], status = this.section.querySelector(".said");
    if (typeof result === "string") { status.textContent = result; return; }
    this.taken.push([result, this.names[step]]);
    this.show();
  }

  machine(number) {
    return this.machines[number].leaving ? this.machines[number] : prepared(this.machines[number]);
  }

  // Where the machine before the last step is drawn.
  pane() {
    const after = this.section.querySelector(".after"), made = after.previousElementSibling ?? after.cloneNode(true);
    made.className = "before";
    after.before(made);
    return made;
  }

  offer() {
    const row = this.following[this.taken.at(-1)[0]];
    this.section.querySelectorAll("button.step").forEach((button, step) => {
      const result = row[step], none = typeof result === "string";
      button.setAttribute("aria-disabled", none);
      button.title = none ? result : result === this.taken.at(-1)[0] ? "changes nothing here" : "";
    });
  }

  show() {
    const last = this.taken.length - 1, [now, name] = this.taken[last], pane = this.pane();
    const size = machine => `states ${machine.states.toLocaleString("en")}, arcs ${machine.source.length.toLocaleString("en")}`;
    const after = this.machine(now);
    this.section.classList.toggle("two", last > 0);
    pane.hidden = last === 0;
    this.section.querySelector(".after .size").textContent = last ? `after ${name}: ${size(after)}` : "";
    this.section.querySelector(".colours").hidden = last === 0;
    this.section.querySelector(".taken").textContent = this.taken.slice(1).map(([, step]) => step).join(" → ");
    this.viewer.load(after);
    this.viewer.colour(null);
    let said = "";
    if (last) {
      const [number, step] = this.taken[last - 1], before = this.machine(number);
      this.before ??= new Viewer(this.section, before, pane);
      this.before.load(before);
      pane.querySelector(".size").textContent = `${step ? `after ${step}` : "before"}: ${size(before)}`;
      const turned = name === "reverse", changes = compared(before, after);
      this.before.colour(turned ? null : changes.before);
      this.viewer.colour(turned ? null : changes.after);
      said = number === now ? `${name} changes nothing here` : turned ? "every arc is turned round, ends become starts" : "";
    }
    this.section.querySelector(".said").textContent = said;
    this.offer();
  }
}
