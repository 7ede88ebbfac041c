// Compares what a page computes with what the program computed, bit by bit.
//
//     bits.js PAGE                        everything the page holds is computed again
//     bits.js PAGE OTHER CHANGE           PAGE is changed, and must have the numbers of OTHER; CHANGE
//                                         is JSON: {"temperature": 0.7, "mask": "1011", "typed": [..]}
'use strict';
const { read } = require('./page_file.js');

const bits = (values) => new Uint32Array(values.buffer, values.byteOffset, values.length);

function compare(node, values, expected) {
    const mine = bits(values), its = bits(expected);
    for (let at = 0; at < its.length; at++) {
        const bothNaN = values[at] !== values[at] && expected[at] !== expected[at];
        if (mine[at] !== its[at] && !bothNaN) {
            console.error(`${node.symbol}[${at}]: ${values[at]} where the program has ${expected[at]}`);
            return false;
        }
    }
    return true;
}

const [path, otherPath, change] = process.argv.slice(2);
const page = read(path), other = otherPath ? read(otherPath) : page;
const changes = JSON.parse(change || '{}');
let same = true, count = 0, live = 0;
page.data.experiments.forEach((e, number) => {
    if (e.refusal) {
        return;
    }
    live++;
    const expected = new Map();
    other.data.experiments[number].nodes.forEach((node) => {
        if (node.values) {
            expected.set(node.id, node.values.slice());
        }
    });
    const typed = page.engine.typedOf(e);
    (changes.typed || []).forEach(([id, at, value]) => {
        typed.set(id, (typed.get(id) || new Map()).set(at, Math.fround(value)));
    });
    e.temperature = changes.temperature ? Math.fround(changes.temperature) : e.temperature;
    e.mask = changes.mask === undefined ? e.mask : changes.mask;
    e.nodes.forEach((node) => {
        if (!node.given) {
            node.values = null;
        }
    });
    page.engine.compute(e, typed);
    e.nodes.forEach((node) => {
        if (expected.has(node.id)) {
            count += node.values.length;
            same = compare(node, node.values, expected.get(node.id)) && same;
        }
    });
});
console.log(`${count} numbers of ${live} experiments are the same: ${same}`);
process.exit(same && live > 0 ? 0 : 1);
