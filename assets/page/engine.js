// The program's computation once more, to the bit: src/attn/kernels_ref.c says what each result is.
const engine = (function () {
    const { fround: round, floor, sqrt } = Math;
    const change = (row, make) => row.forEach((x, j) => {
        row[j] = make(x, j);
    });
    const double = new Float64Array([1]), word = new Uint32Array(double.buffer);
    const low = word[1] === 0x3ff00000 ? 0 : 1, high = 1 - low;

    // a · b + c, rounded once. The product is exact in double. Its sum with c is rounded to odd, so
    // that rounding it once more to float32 cannot go the wrong way.
    function fused(a, b, c) {
        const product = a * b, sum = product + c, part = sum - product;
        const rest = (product - (sum - part)) + (c - part);
        if (!(rest > 0 || rest < 0)) {
            return round(sum); // exact, or not finite
        }
        double[0] = sum;
        if ((word[low] & 1) === 0) {
            if (rest > 0 === sum > 0) {
                word[low] |= 1;
            } else {
                if (word[low] === 0) {
                    word[high] -= 1;
                }
                word[low] -= 1;
            }
        }
        return round(double[0]);
    }

    // e^x = 2^k · e^r by a polynomial; 0 below −87.33.
    const powers = [0x16a2352 / 2 ** 34, 0x1123a6c / 2 ** 31, 0x15558f4 / 2 ** 29,
        0x155549 / 2 ** 23, 0x1fffffc / 2 ** 26, 1, 1];
    function exponential(x) {
        if (!(x >= round(-87.33))) {
            return x === x ? 0 : x;
        }
        const shift = 12583039; // 1.5 · 2^23 + 127
        const k = round(fused(x, 0x1715476 / 2 ** 24, shift) - shift);
        const r = fused(k, 0x1bd0106 / 2 ** 37, fused(k, -0x163 / 2 ** 9, x));
        let sum = powers[0];
        for (let i = 1; i < powers.length; i++) {
            sum = fused(r, sum, powers[i]);
        }
        return round(sum * 2 ** k);
    }

    // Sixteen lanes, filled in turn, then added in halves.
    function sumOf(row) {
        const lanes = new Float32Array(16);
        row.forEach((x, j) => {
            lanes[j % 16] += x;
        });
        for (let half = 8; half >= 1; half /= 2) {
            for (let l = 0; l < half; l++) {
                lanes[l] += lanes[l + half];
            }
        }
        return lanes[0];
    }

    // A row of scaled scores becomes shares, in place.
    function softmax(row) {
        const max = row.reduce((a, x) => (a === a && x === x ? (x > a ? x : a) : NaN), -Infinity);
        if (!(max > -Infinity && max < Infinity)) {
            const winners = row.filter((x) => x === Infinity).length;
            change(row, (x) => (max === Infinity ? (x === max ? 1 / winners : 0)
                : x === -Infinity ? 0 : max === max ? 0 : NaN));
            return;
        }
        change(row, (x) => exponential(round(x - max)));
        const share = round(1 / sumOf(row));
        change(row, (x) => x * share);
    }

    // Each score by the sum of the row's scores that are seen.
    function plainShares(row) {
        let sum = 0;
        row.forEach((x) => {
            sum = x === -Infinity ? sum : round(sum + x);
        });
        change(row, (x) => (x === -Infinity ? 0 : x / sum));
    }

    // Which matrix of a node the head number h of `of` uses: heads of a group share theirs.
    const matrixOf = (node, h, of) => floor(h * node.matrices / of);

    // Calls back for each cell of a node with its head, row, column and place.
    function fill(node, value) {
        let at = 0;
        for (let h = 0; h < node.matrices; h++) {
            for (let i = 0; i < node.rows; i++) {
                for (let j = 0; j < node.cols; j++) {
                    node.values[at] = value(h, i, j, at);
                    at++;
                }
            }
        }
    }

    // out[i][j] = start + Σ a[i][p] · b[p][j], term by term; b is turned where its rows are summed.
    // A weight of 0 brings no term: what is hidden must not show, whatever its value is.
    function multiply(node, a, b, bias, turned, isMix) {
        const depth = a.cols;
        fill(node, (h, i, j) => {
            const left = (matrixOf(a, h, node.matrices) * a.rows + i) * depth;
            const upper = matrixOf(b, h, node.matrices) * b.rows * b.cols;
            let sum = bias ? bias.values[matrixOf(bias, h, node.matrices) * bias.cols + j] : 0;
            for (let p = 0; p < depth; p++) {
                const x = a.values[left + p];
                if (!isMix || x !== 0) {
                    sum = fused(x, b.values[upper + (turned ? j * b.cols + p : p * b.cols + j)], sum);
                }
            }
            return isMix ? sum + 0 : sum;
        });
    }

    // A number of scores is multiplied by: 1 / √dₖ where they are scaled, divided by temperature.
    const factorOf = (e) => round((e.scale && e.dk > 0 ? 1 / sqrt(e.dk) : 1) / e.temperature);
    const sees = (e, i, j) => !e.mask || e.mask[i * e.keys.length + j] !== '0';

    // The columns of the pair that column j turns in, and whether it is the first of them.
    function pairOf(e, j) {
        const number = e.halves ? j % e.pairs : j >> 1;
        const first = e.halves ? number : 2 * number, second = first + (e.halves ? e.pairs : 1);
        return j < 2 * e.pairs ? { number, first, second } : null;
    }

    const operations = {
        sum: (e, node, a, b) => fill(node, (h, i, j, at) => a.values[at] + b.values[at]),
        product: (e, node, a, b, bias) => multiply(node, a, b, bias, false, false),
        dot: (e, node, a, b) => multiply(node, a, b, null, true, false),
        mix: (e, node, a, b) => multiply(node, a, b, null, false, true),
        adjust(e, node, a) {
            const factor = factorOf(e);
            fill(node, (h, i, j, at) => (sees(e, i, j) ? a.values[at] * factor : -Infinity));
        },
        softmax(e, node, a) {
            node.values.set(a.values);
            for (let at = 0; at < node.values.length; at += node.cols) {
                (e.share ? plainShares : softmax)(node.values.subarray(at, at + node.cols));
            }
        },
        concat: (e, node, a) => fill(node, (h, i, j) =>
            a.values[(floor(j / a.cols) * a.rows + i) * a.cols + j % a.cols]),
        copy(e, node, a, bias) { // by the unit matrix
            const one = new Float32Array(a.cols * node.cols);
            change(one, (x, at) => (floor(at / node.cols) === at % node.cols ? 1 : 0));
            multiply(node, a, { matrices: 1, rows: a.cols, cols: node.cols, values: one }, bias);
        },
        turn: (e, node, a) => fill(node, (h, i, j, at) => {
            const pair = pairOf(e, j), row = at - j;
            if (!pair) {
                return a.values[at];
            }
            const [cos, sin, by] = e.turns.subarray(3 * (i * e.pairs + pair.number));
            const x = a.values[row + pair.first], y = a.values[row + pair.second];
            return by * (j === pair.first ? x * cos - y * sin : x * sin + y * cos);
        }),
        smear: (e, node, a) => fill(node, (h, i, j, at) => {
            const share = round(e.smear), own = round(round(1 - share) * a.values[at]);
            return i ? own + round(share * a.values[at - node.cols]) : own;
        }),
        unit: (e, node, a) => fill(node, (h, i, j, at) => {
            let square = 0;
            for (let c = 0; c < node.cols; c++) {
                square += a.values[at - j + c] * a.values[at - j + c];
            }
            return a.values[at] / (square > 0 ? sqrt(square) : 1);
        }),
    };

    // Computes every node of an experiment after those that it is made of; where one has changed,
    // it and what follows from it. `typed` says for a node which numbers stand in place of computed
    // ones.
    function compute(e, typed, changed) {
        const isNew = new Map();
        const make = (node) => {
            if (isNew.has(node)) {
                return isNew.get(node);
            }
            const inputs = node.in.map((id) => e.node.get(id));
            const follows = inputs.map(make).includes(true);
            isNew.set(node, follows || !changed || changed === node || !node.values);
            if (!isNew.get(node)) {
                return false;
            }
            node.decimals = node.largest = undefined; // what was counted of the former numbers
            node.values = node.values || new Float32Array(node.matrices * node.rows * node.cols);
            if (node.given) {
                node.values.set(node.given);
            } else {
                operations[node.op](e, node, ...inputs);
            }
            (typed.get(node.id) || new Map()).forEach((value, at) => {
                node.values[at] = value;
            });
            return true;
        };
        e.nodes.forEach(make);
    }

    function bytesOf(text) {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        return new DataView(bytes.buffer);
    }

    function floats(text, size) {
        const bytes = bytesOf(text), each = size || 4;
        const all = new (each === 8 ? Float64Array : Float32Array)(bytes.byteLength / each);
        change(all, (x, at) => (each === 8 ? bytes.getFloat64(8 * at, true) : bytes.getFloat32(4 * at, true)));
        return all;
    }

    // The experiments of a page with their numbers; `given` of a node are those it is not made of.
    function read(data) {
        const numbers = data.floats = data.numbers.map((text) => floats(text));
        data.experiments.forEach((e) => {
            e.turns = e.turns ? floats(e.turns, 8) : null;
            e.node = new Map(e.nodes.map((node) => [node.id, node]));
            e.nodes.forEach((node) => {
                if (node.numbers !== undefined) {
                    node.values = numbers[node.numbers].slice();
                    node.given = node.op === 'given' ? numbers[node.numbers] : null;
                }
            });
        });
        return data;
    }

    // The numbers that the experiment itself has typed over computed ones, by node and place.
    function typedOf(e) {
        const typed = new Map();
        e.typed.forEach(([id, matrix, row, column, value]) => {
            const node = e.node.get(id);
            if (node) {
                typed.set(id, (typed.get(id) || new Map())
                    .set((matrix * node.rows + row) * node.cols + column, value));
            }
        });
        return typed;
    }

    return { fused, exponential, factorOf, sees, pairOf, compute, read, typedOf, matrixOf };
}());
