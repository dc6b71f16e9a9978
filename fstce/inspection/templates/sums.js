"use strict";
// Sums over paths, in nats. A graph has n states, arcs source[i] → target[i], a start, and for each state
// the log weight of ending there (−∞ where it is not final).

function logAdd(a, b) {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

// The states, every arc pointing to a later one (Kahn 1962); null where there is a cycle.
function topological(n, source, target) {
  const waiting = new Int32Array(n), out = outgoing(n, source), order = [];
  for (const state of target) waiting[state] += 1;
  for (let state = 0; state < n; state++) if (!waiting[state]) order.push(state);
  for (let next = 0; next < order.length; next++)
    for (const arc of out[order[next]]) if (!--waiting[target[arc]]) order.push(target[arc]);
  return order.length === n ? order : null;
}

function outgoing(n, source) {
  const out = Array.from({length: n}, () => []);
  source.forEach((state, arc) => out[state].push(arc));
  return out;
}

// α(start) = 0, α(q) = ⊕ α(p) + score; β likewise from the end; the posterior of an arc p → q is
// exp(α(p) + score + β(q) − log Z).
function sums(graph, score) {
  const {n, source, target, order, out, start, final} = graph;
  const alpha = new Float64Array(n).fill(-Infinity), beta = Float64Array.from(final);
  alpha[start] = 0;
  for (const state of order)
    for (const arc of out[state]) alpha[target[arc]] = logAdd(alpha[target[arc]], alpha[state] + score[arc]);
  for (let i = n - 1; i >= 0; i--)
    for (const arc of out[order[i]]) beta[order[i]] = logAdd(beta[order[i]], score[arc] + beta[target[arc]]);
  const logZ = beta[start];
  const posterior = Float64Array.from(source, (state, arc) =>
    logZ === -Infinity ? 0 : Math.exp(alpha[state] + score[arc] + beta[target[arc]] - logZ));
  return {logZ, posterior};
}

// A model over a product automaton: a cell is a pair of tag n-gram and (word, tag), with its features.
function expectations(product, theta) {
  const cellScore = product.cells.map(cell => cell.features.reduce((sum, f) => sum + theta[f], cell.constant));
  const score = Float64Array.from(product.cell, (cell, arc) => cellScore[cell] + (product.bias ? product.bias[arc] : 0));
  const {logZ, posterior} = sums(product.graph, score);
  const expected = new Float64Array(theta.length), arcs = new Float64Array(product.n_arcs);
  const readings = product.positions ? Array.from({length: product.positions}, () => new Float64Array(product.tags)) : [];
  posterior.forEach((p, arc) => {
    const cell = product.cells[product.cell[arc]], place = product.place[arc];
    for (const f of cell.features) expected[f] += p;
    if (place >= 0) arcs[place] += p;
    if (place >= 0 && product.positions) readings[place][cell.tag] += p;
  });
  return {logZ: logZ + product.constant, expected, arcs, readings};
}

// The best path that reads these labels (lists of label numbers for each word) on a side, ε where it must;
// a list of arcs, or null; of equals the one that copies most. ε may be negative, so steps are bounded.
function bestPath(machine, words, side) {
  const label = side === "output" ? machine.out : machine.in, {epsilon, any} = machine;
  const step = (here, arc) => ({cost: here.cost + machine.weight[arc], back: here, arc,
    changes: here.changes + (machine.in[arc] !== machine.out[arc])});
  const better = (a, b) => !b || a.cost < b.cost - 1e-12 || (a.cost <= b.cost + 1e-12 && a.changes < b.changes);
  let front = new Map([[machine.start, {cost: 0, changes: 0, back: null, arc: -1}]]);
  const closed = states => {
    const queue = [...states.keys()];
    for (let steps = 0; queue.length && steps < 200000; steps++) {
      const state = queue.shift(), here = states.get(state);
      for (const arc of machine.leaving[state]) {
        if (label[arc] !== epsilon) continue;
        const to = machine.next[arc], there = step(here, arc);
        if (better(there, states.get(to))) {
          states.set(to, there);
          queue.push(to);
        }
      }
    }
    return states;
  };
  closed(front);
  for (const known of words) {
    const after = new Map();
    for (const [state, here] of front)
      for (const arc of machine.leaving[state]) {
        if (label[arc] === epsilon || !(known.has(label[arc]) || label[arc] === any)) continue;
        const to = machine.next[arc], there = step(here, arc);
        if (better(there, after.get(to))) after.set(to, there);
      }
    front = closed(after);
  }
  let best = null;
  for (const [state, here] of front) {
    const whole = {cost: here.cost + machine.final.get(state), changes: here.changes, last: here};
    if (machine.final.has(state) && better(whole, best)) best = whole;
  }
  if (!best) return null;
  const arcs = [];
  for (let at = best.last; at.back; at = at.back) arcs.push(at.arc);
  return {arcs: arcs.reverse(), cost: best.cost};
}
