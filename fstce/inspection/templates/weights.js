// The weights of a tagger: drag one, and log Z, posteriors and the gradient of this sentence are computed anew.

const LEAST = 0.01; // of a posterior in the trellis

class Weights {
  constructor(section, model, lattice) {
    Object.assign(this, {section, model, lattice, theta: Float64Array.from(model.theta)});
    for (const product of [model.sentence, model.neighborhood]) {
      const n = product.states, final = new Float64Array(n).fill(-Infinity);
      final[product.final] = 0;
      const order = Int32Array.from({length: n}, (_, state) => state); // states are in topological order
      product.graph = {n, source: product.source, target: product.target, order,
        out: outgoing(n, product.source), start: product.start, final};
      product.n_arcs = product.places;
    }
    this.rows = [...section.querySelectorAll("tr[data-feature]")].map(row => {
      const feature = +row.dataset.feature, [range, number] = row.querySelectorAll("input");
      const cells = ["own", "other", "gradient"].map(name => row.querySelector(`[data-value=${name}]`));
      for (const input of [range, number])
        input.addEventListener("input", () => { if (input.value !== "") this.set(feature, +input.value); });
      return {row, feature, range, number, cells};
    });
    section.querySelector("[name=filter]").addEventListener("input", event => this.filter(event.target.value));
    section.querySelector("[name=all]").addEventListener("click", () => { this.whole = !this.whole; this.filter(this.wanted || ""); });
    section.querySelector("[name=reset]").addEventListener("click", () => { this.theta.set(model.theta); this.update(); });
    section.querySelector("[name=step]").addEventListener("click", () => this.step(+section.querySelector("[name=rate]").value));
    section.querySelector("[name=fold]").addEventListener("click", () => { this.unfolded = !this.unfolded; this.fold(); });
    this.filter("");
    this.restore();
    this.update();
  }

  set(feature, value) {
    this.theta[feature] = value;
    this.update();
  }

  // θ + η (E_sentence[f] − E_neighborhood[f]): uphill in log p(x | N(x)).
  step(rate) {
    this.theta.forEach((_, f) => { this.theta[f] += rate * this.gradient[f]; });
    this.update();
  }

  filter(text) {
    this.wanted = text;
    const shown = this.rows.filter(({row}) => !text || row.dataset.name.includes(text));
    for (const {row} of this.rows) row.hidden = true;
    shown.slice(0, this.whole || text ? shown.length : 12).forEach(({row}) => { row.hidden = false; });
  }

  update() {
    const own = expectations(this.model.sentence, this.theta), all = expectations(this.model.neighborhood, this.theta);
    this.gradient = own.expected.map((value, f) => value - all.expected[f]);
    const values = {own: own.logZ, all: all.logZ, log: own.logZ - all.logZ, p: Math.exp(own.logZ - all.logZ),
      norm: Math.hypot(...this.gradient)};
    for (const [name, value] of Object.entries(values)) this.put(this.section.querySelector(`[data-value=z-${name}]`), value);
    for (const {feature, range, number, cells} of this.rows) {
      const value = this.theta[feature];
      range.value = value;
      if (document.activeElement !== number) number.value = +value.toFixed(3);
      range.setAttribute("aria-valuetext", `${digits(value)} nats`);
      [own.expected[feature], all.expected[feature], this.gradient[feature]].forEach((found, i) => this.put(cells[i], found));
    }
    own.readings.forEach((row, word) => row.forEach((p, tag) => {
      const cell = this.section.querySelector(`[data-word="${word}"][data-tag="${tag}"]`);
      if (!cell) return;
      this.put(cell, p, p.toFixed(2));
      cell.style.setProperty("--p", p);
      cell.classList.toggle("little", p < LEAST);
    }));
    this.readings = own.readings;
    this.fold();
    this.posteriors = all.arcs;
    if (this.lattice) {
      this.lattice.machine.posterior = all.arcs;
      this.lattice.thicken();
    }
    this.remember();
  }

  // Tags that no word has with a posterior of .01 are folded away.
  fold() {
    let hidden = 0;
    for (const tag of this.model.sentence.tags ? Array(this.model.sentence.tags).keys() : []) {
      const little = this.readings.every(row => row[tag] < LEAST);
      hidden += little;
      for (const cell of this.section.querySelectorAll(`.trellis [data-tag="${tag}"]`)) cell.hidden = little && !this.unfolded;
    }
    const button = this.section.querySelector("[name=fold]");
    button.hidden = !hidden;
    button.textContent = this.unfolded ? "fewer tags" : `${hidden} more ${hidden === 1 ? "tag" : "tags"} below ${LEAST}`;
  }

  put(cell, value, text = digits(value)) {
    cell.textContent = text.replace("-", "−");
    cell.dataset.exact = value;
  }

  // Weights that were changed stand in the address, so that a link shows what is seen here.
  remember() {
    const changed = this.model.theta.flatMap((value, f) => this.theta[f] === value ? [] : [`${f}:${this.theta[f]}`]);
    try { history.replaceState(null, "", changed.length ? `#w=${changed.join(",")}` : location.pathname + location.search); }
    catch { /* a page within a page has no address of its own */ }
  }

  restore() {
    for (const [, feature, value] of decodeURIComponent(location.hash).matchAll(/(?:[=,])(\d+):(-?[\d.e+-]+)/g))
      if (+feature < this.theta.length && Number.isFinite(+value)) this.theta[feature] = +value;
  }
}

const DATA = JSON.parse(document.getElementById("data").textContent);
const VIEWERS = DATA.machines.map((machine, i) => {
  const section = document.getElementById(`machine-${i + 1}`), viewer = new Viewer(section, prepared(machine));
  for (const button of section.querySelectorAll("button.file")) button.addEventListener("click", () => download(viewer, button.value));
  return viewer;
});
if (DATA.model) new Weights(document.getElementById("weights"), DATA.model, VIEWERS[0]);

document.documentElement.dataset.ready = Math.round(performance.now()); // milliseconds from opening to here
