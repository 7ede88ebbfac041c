// The page: what is shown of the numbers, and what happens when one is pointed at or changed.
// Own properties: node cell row col turned wide high tab hover trail pieces decimals largest label edits version isChanged maskName brush toX toY text kind moved terms half rgb css factorOf pairOf matrixOf
// Own properties: first second number rowNames colNames
const root = (document.currentScript || document.querySelector('.attnscope:not([data-live]) script:not([type])')).parentNode;
const data = engine.read(JSON.parse(root.querySelector('script[type]').textContent));
const { say: texts, steps } = data;
const dark = matchMedia('(prefers-color-scheme: dark)');
const answered = new Set(); // steps whose guess was answered or given up
const known = new Set(); // numbers of a whole matrix that were answered

const { abs, floor, max, min, round } = Math;
const { assign } = Object;
const clamp = (x, low, high) => min(max(x, low), high);
const times = (count, make) => Array.from({ length: count }, (x, at) => make(at));

const state = { step: 0, stage: 0, tab: 0, head: 0, query: 0, key: 0, channel: 0, cell: null, hover: null, trail: [] };
let e = null; // the experiment that is shown

// ---- words and numbers ------------------------------------------------------------------------

const say = (key, ...words) => words.reduce((text, word) => text.replace('%s', () => word), texts[key]);
const apart = (word) => '\u2068' + word + '\u2069'; // a word of any direction turns nothing around it

const refill = (part, ...children) => part.replaceChildren(...children);
const tellAria = (part, what, value) => part.setAttribute('aria-' + what, value);

function element(name, { label, text, kind, ...properties }, ...children) {
    const made = assign(document.createElement(name), { className: kind || '', textContent: text || '', ...properties });
    made.append(...children);
    if (label) {
        tellAria(made, 'label', label);
    }
    return made;
}

function number(x, decimals) {
    if (x !== x) {
        return 'n/a';
    }
    const text = abs(x) === Infinity ? '∞' : abs(x).toFixed(decimals);
    return (x < 0 && /[1-9∞]/.test(text) ? '−' : '') + text;
}

// As few decimals, up to three, as tell all numbers of a node apart from what they would round to.
function decimalsOf(node) {
    const most = isWeights(node) ? 3 : 2;
    for (let at = 0, d = 0; node.decimals === undefined; at++) {
        const x = node.values[at] * 10 ** d;
        if (at === node.values.length || d === most) {
            node.decimals = d;
        } else if (abs(x) < 1e9 && abs(x - round(x)) > 1e-6 * max(10 ** d, abs(x))) {
            d++;
            at--;
        }
    }
    return node.decimals;
}

// The largest number of a node without its sign.
function largestOf(node) {
    if (node.largest === undefined) {
        node.largest = node.values.reduce((most, x) => (abs(x) < Infinity ? max(most, abs(x)) : most), 0);
    }
    return node.largest;
}

const wordsOf = (node, side) => {
    const words = node[side + 'Words'];
    return words === 'q' ? e.queries : words === 'k' ? e.keys : words;
};
const nameOf = (node, side, index) => apart((wordsOf(node, side) || [])[index] || String(index + 1));
const matrixAt = (node) => engine.matrixOf(node, state.head, e.heads);
const placeOf = (node, row, col) => (matrixAt(node) * node.rows + row) * node.cols + col;
const rowOf = ({ node, row }) => times(node.cols, (col) => valueAt(node, row, col));
const valueAt = (node, row, col) => node.values[placeOf(node, row, col)];
const isSoftmax = (node) => node.op === 'softmax';
const isWeights = (node) => isSoftmax(node) || node.symbol === 'α';
const isHidden = (node, row, col, value = valueAt(node, row, col)) => isWeights(node) && !value && !engine.sees(e, row, col);
const isTyped = (node, row, col) => (e.edits.get(node.id) || new Map()).has(placeOf(node, row, col));

// ---- what belongs to a stage ------------------------------------------------------------------

// The nodes that a stage ends with; given ones only where it has no others.
function tabsOf(stage) {
    const all = e.nodes.filter((node) => node.stage === stage);
    const made = all.filter((node) => node.op !== 'given');
    const given = all.filter((node) => !/^[Wb]_/.test(node.symbol));
    return made[0] ? made : given;
}

const stagesThere = () => e.stages.map((x, stage) => stage).filter((stage) => tabsOf(stage)[0]);
const tabNode = () => e.node.get(state.tab) || tabsOf(state.stage)[0] || e.nodes[0];
const inputsOf = (node) => node.in.map((id) => e.node.get(id)).filter(Boolean);
const isProduct = (node) => /^(product|dot|mix)$/.test(node.op) && inputsOf(node).length > 1;

// A stage's number that belongs to the query, the key and the channel that were chosen last.
function usualCell(node, chosen = state) {
    const pick = (words, count) => min(words === 'q' ? chosen.query : words === 'k' ? chosen.key : chosen.channel, count - 1);
    return { node, row: pick(node.rowWords, node.rows), col: pick(node.colWords, node.cols) };
}

function keepIndices({ node, row, col }) {
    [[node.rowWords, row], [node.colWords, col]].forEach(([words, at]) => {
        state[words === 'q' ? 'query' : words === 'k' ? 'key' : 'channel'] = at;
    });
}

// ---- guesses ----------------------------------------------------------------------------------

function asked() {
    const step = steps[state.step];
    return step.guess && !answered.has(state.step) ? step : null;
}

const guessNode = (step) => /cell|matrix/.test(step.guess) && step.stage !== 4
    ? tabsOf(step.stage).find((node) => step.stage !== 1 || node.id === step.projected) || tabsOf(step.stage)[0]
    : e.nodes.find(isSoftmax) || tabsOf(step.stage)[0];

function guessCell(step) {
    if (step.guess === 'matrix' && state.cell && state.cell.node === guessNode(step)) {
        return state.cell;
    }
    return usualCell(guessNode(step), step);
}

// Whether a number is not to be seen yet: the one that is asked for, and those that repeat it.
function isSecret(node, row, col) {
    const step = asked();
    if (!step || e !== data.experiments[step.experiment]) {
        return false;
    }
    if (step.guess === 'matrix') {
        const target = guessNode(step);
        return node === target ? !known.has([state.step, state.head, row, col].join()) : node.stage > target.stage;
    }
    const cell = guessCell(step);
    const repeats = node.stage >= cell.node.stage && node.rowWords === cell.node.rowWords && node.colWords === cell.node.colWords;
    return repeats && row === cell.row && (step.guess === 'winner' || col === cell.col);
}

// "0.3", "0,3", "30 %", "−2.5" or "3/4" as a value, with half a unit of its last digit.
function readGuess(text, isShare) {
    const match = text.trim().replace(/[−–]/, '-').replace(',', '.')
        .match(/^(-?\d*\.?\d+)\s*(?:(%)|\/\s*(\d+))?$/);
    if (!match || match[3] === '0') {
        return null;
    }
    const digits = (match[1].split('.')[1] || '').length;
    const percent = match[2] || (isShare && !match[3] && Number(match[1]) > 1);
    const unit = percent ? 100 : Number(match[3] || 1);
    return { value: Number(match[1]) / unit, half: match[3] ? 1e-3 : 0.5 * 10 ** -digits / unit };
}

function judge(step, answer) {
    const cell = guessCell(step), node = cell.node;
    if (step.guess === 'winner') {
        const row = rowOf(cell);
        return row[answer] === max(...row);
    }
    const guess = readGuess(answer, isSoftmax(node)), truth = valueAt(node, cell.row, cell.col);
    return guess && abs(truth - guess.value) <= guess.half * 1.0001 + (isSoftmax(node) ? 1e-3 : 0);
}

function answerOf(step) {
    const cell = guessCell(step), node = cell.node;
    if (step.guess !== 'winner') {
        return number(valueAt(node, cell.row, cell.col), max(decimalsOf(node), 2));
    }
    const row = rowOf(cell);
    return nameOf(node, 'col', row.indexOf(max(...row)));
}

// ---- how a number is made ---------------------------------------------------------------------

const termsShown = 6; // terms of a long sum that are written out, the largest

function piece(node, row, col, decimals) {
    return { node, row, col, text: number(valueAt(node, row, col), decimals === undefined ? decimalsOf(node) : decimals) };
}

// The terms of a product as pieces between signs, the largest where there are many.
function productPieces(node, row, col) {
    const [a, b, bias] = inputsOf(node), turned = node.op === 'dot', terms = [];
    for (let p = 0; p < a.cols; p++) {
        const left = piece(a, row, p), right = turned ? piece(b, col, p) : piece(b, p, col);
        terms.push({ p, left, right, x: valueAt(a, row, p) * valueAt(b, right.row, right.col) });
    }
    const some = terms.filter((term) => node.op !== 'mix' || valueAt(a, row, term.p) !== 0);
    const shown = some.length <= termsShown + 2 ? some
        : some.slice().sort((s, t) => abs(t.x) - abs(s.x)).slice(0, termsShown).sort((s, t) => s.p - t.p);
    const pieces = bias ? [piece(bias, 0, col), ' + '] : [];
    shown.forEach((term, at) => pieces.push(at > 0 ? ' + (' : '(', term.left, ' · ', term.right, ')'));
    if (shown.length < some.length) {
        const rest = some.filter((term) => !shown.includes(term)).reduce((sum, term) => sum + term.x, 0);
        pieces.push(' + ' + say('others', some.length - shown.length) + ' (' + number(rest, 2) + ')');
    }
    return pieces;
}

function softmaxPieces(node, row, col) {
    const scaled = inputsOf(node)[0];
    const scores = rowOf({ node: scaled, row });
    if (e.share) {
        return [piece(scaled, row, col), ' ÷ ', number(scores.reduce((a, x) => (x > -Infinity ? a + x : a), 0), 2)];
    }
    const most = max(...scores), pieces = ['e^(', piece(scaled, row, col, 2), ` − ${number(most, 2)}) ÷ (`];
    if (!(most > -Infinity)) {
        return [say('blind')];
    }
    scores.slice(0, termsShown + 2).forEach((score, j) => pieces.push(j > 0 ? ' + ' : '',
        { ...piece(scaled, row, j), text: number(Math.exp(score - most), 3) }));
    return pieces.concat(scores.length > termsShown + 2 ? ' + …)' : ')');
}

function turnPieces(node, row, col) {
    const before = inputsOf(node)[0], pair = engine.pairOf(e, col);
    if (!pair) {
        return [piece(before, row, col)];
    }
    const [cos, sin] = e.turns.subarray(3 * (row * e.pairs + pair.number)), isFirst = col === pair.first;
    return [piece(before, row, pair.first), ' · ', number(isFirst ? cos : sin, 3), isFirst ? ' − ' : ' + ',
        piece(before, row, pair.second), ' · ', number(isFirst ? sin : cos, 3)];
}

const makers = {
    product: productPieces, dot: productPieces, mix: productPieces, softmax: softmaxPieces, turn: turnPieces,
    sum: (node, row, col) => [piece(inputsOf(node)[0], row, col), ' + ', piece(inputsOf(node)[1], row, col)],
    copy: (node, row, col) => [piece(inputsOf(node)[0], row, col)],
    smear: (node, row, col) => (row ? [piece(inputsOf(node)[0], row - 1, col), ` · ${number(e.smear, 3)} + `] : [])
        .concat(piece(inputsOf(node)[0], row, col), ` · ${number(1 - e.smear, 3)}`),
    unit: (node, row, col) => [piece(inputsOf(node)[0], row, col), ' ÷ ‖', inputsOf(node)[0].symbol, '‖'],
    adjust: (node, row, col) => engine.sees(e, row, col)
        ? [piece(inputsOf(node)[0], row, col), ' · ' + number(engine.factorOf(e), 3)] : [say('hidden')],
    concat(node, row, col) {
        const z = inputsOf(node)[0];
        return [{ ...piece(z, row, col % z.cols), head: floor(col / z.cols),
            text: number(node.values[row * node.cols + col], decimalsOf(z)) }];
    },
};

const titleOf = ({ node, row, col }) => `${node.symbol}(${nameOf(node, 'row', row)}, ${nameOf(node, 'col', col)})`;

// Title, pieces and plain text of one cell.
function explain({ node, row, col }) {
    const title = titleOf({ node, row, col });
    if (isSecret(node, row, col)) {
        return { title, pieces: [' = ?'], text: title + ' = ?' };
    }
    const value = number(valueAt(node, row, col), max(decimalsOf(node), node.op === 'given' ? 0 : 2));
    const hidesTerms = inputsOf(node).some((input) => input.rows === node.rows && input.cols === node.cols && isSecret(input, row, col));
    const made = makers[node.op] && !hidesTerms ? makers[node.op](node, row, col) : isHidden(node, row, col) ? [texts.hidden] : [];
    const typed = isTyped(node, row, col) ? ` (${say('typed')})` : '';
    const pieces = [' = '].concat(made, made[0] ? [' = ', value + typed] : [value + typed]);
    return { title, pieces, text: say('cell', node.symbol, nameOf(node, 'row', row), nameOf(node, 'col', col), value) +
        '. ' + title + pieces.map((part) => part.text || part).join('') };
}

// ---- drawing ----------------------------------------------------------------------------------

const canvas = element('canvas', { tabIndex: 0 });
const front = canvas.getContext('2d');
const sheet = element('canvas', {}), context = sheet.getContext('2d'); // the matrices without marks
const sans = 'px sans-serif';
let shown = []; // the matrices on the canvas, with their places

// The colours of a map from its lowest to its highest number, each with what can be read on it.
const palettes = {};
function paletteOf(node) {
    const name = (dark.matches ? 'dark' : 'light') + (isWeights(node) ? '' : 'Signed');
    if (palettes[name]) {
        return palettes[name];
    }
    const stops = data.maps[name].map((stop) => [stop >> 16, stop >> 8 & 255, stop & 255]);
    palettes[name] = times(256, (i) => {
        const at = i / 255 * (stops.length - 1), low = min(floor(at), stops.length - 2);
        const rgb = stops[low].map((c, k) => round(c + (stops[low + 1][k] - c) * (at - low)));
        const [r, g, b] = rgb.map((c) => (c / 255) ** 2.2);
        return { rgb, css: `rgb(${rgb})`, ink: 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? '#14171c' : '#fff' };
    });
    return palettes[name];
}

function shareOf(node, x) {
    const share = isWeights(node) ? x : 0.5 + x / (2 * (largestOf(node) || 1));
    return round(clamp(share, 0, 1) * 255) || 0;
}

// A head's numbers, a pixel each; those that are hidden are left out.
function drawPixels(small, node, head, turned) {
    const [rows, cols] = turned ? [node.cols, node.rows] : [node.rows, node.cols];
    const image = new ImageData(cols, rows), palette = paletteOf(node);
    for (let at = 0; at < rows * cols; at++) {
        const from = turned ? at % cols * rows + floor(at / cols) : at;
        const value = node.values[head * rows * cols + from];
        image.data.set(palette[shareOf(node, value)].rgb, 4 * at);
        image.data[4 * at + 3] = value === -Infinity || isHidden(node, floor(at / cols), at % cols, value) ? 0 : 255;
    }
    assign(small, { width: cols, height: rows }).getContext('2d').putImageData(image, 0, 0);
    return small;
}

// Sizes and places of the matrices of the stage, for so many pixels in width.
function layOut(width) {
    const node = tabNode(), inputs = inputsOf(node), product = isProduct(node);
    const view = (of, turned) => ({ node: of, turned, rows: turned ? of.cols : of.rows, cols: turned ? of.rows : of.cols,
        rowNames: wordsOf(of, turned ? 'col' : 'row'), colNames: wordsOf(of, turned ? 'row' : 'col') });
    const all = product ? [view(inputs[0]), view(inputs[1], node.op === 'dot'), view(node)]
        : inputs.filter((input) => input.rows * input.cols > 0).concat(node).map((of) => view(of));
    const longest = (names) => min(96, max(0, ...(names || []).map((name) => context.measureText(name).width)));
    context.font = 13 + sans;
    const label = max(...(product ? [longest(all[0].rowNames), longest(all[1].rowNames) - 40] : all.map((m) => longest(m.rowNames)))) + 10;
    const gap = 24, head = 38, sum = product ? all[0].cols + all[2].cols : all.reduce((count, m) => count + m.cols, 0);
    const beside = (width - label - gap * (product ? 1 : all.length - 1) - 4) / sum;
    const stacked = (width - label - 4) / max(...all.map((m) => m.cols));
    const stacks = !product && all.length > 1 && beside < 40 && stacked > beside;
    const wide = clamp(floor(stacks ? stacked : beside), 6, 64);
    const rows = product ? all[1].rows + all[2].rows : max(...all.map((m) => m.rows));
    const high = wide >= 26 ? min(wide, rows > 16 ? 20 : rows > 10 ? 26 : 32) : wide;
    let x = label, y = head;
    all.forEach((m) => {
        assign(m, { wide, high, x, y });
        x += stacks ? 0 : m.cols * wide + gap;
        y += stacks ? m.rows * high + head : 0;
    });
    if (product) {
        const [left, upper, result] = all;
        upper.x = result.x = left.x + left.cols * wide + gap;
        left.y = result.y = upper.y + upper.rows * high + head;
    }
    shown = all;
    return { width: max(...all.map((m) => m.x + m.cols * wide)) + 4, height: max(...all.map((m) => m.y + m.rows * high)) + 6 };
}

function drawCell(m, row, col, format) {
    const [nodeRow, nodeCol] = m.turned ? [col, row] : [row, col];
    const x = m.x + col * m.wide, y = m.y + row * m.high, value = valueAt(m.node, nodeRow, nodeCol);
    const gap = m.wide > 12 ? 1 : 0, secret = isSecret(m.node, nodeRow, nodeCol);
    const hidden = isHidden(m.node, nodeRow, nodeCol), colour = secret || hidden || value === -Infinity ? null : paletteOf(m.node)[shareOf(m.node, value)];
    context.fillStyle = colour ? colour.css : colours.control;
    context.fillRect(x, y, m.wide - gap, m.high - gap);
    if (secret || (format.font > 0 && !hidden)) {
        context.fillStyle = (colour || colours).ink;
        context.font = `${isTyped(m.node, nodeRow, nodeCol) ? 'bold ' : ''}${format.font || 11}px ui-monospace, monospace`;
        context.fillText(secret ? '?' : number(value, format.decimals), x + (m.wide - gap) / 2, y + m.high / 2);
    } else if (!colour) {
        context.strokeStyle = colours.muted;
        context.beginPath();
        context.moveTo(x, y + m.high - gap);
        context.lineTo(x + m.wide - gap, y);
        context.stroke();
    }
}

// Row i, column j and the line p that is summed over, as far as the cell that is looked at has them.
function axesOf(cell) {
    const node = tabNode();
    if (!cell) {
        return {};
    }
    if (!isProduct(node) || cell.node === node) {
        return { i: cell.row, j: cell.col };
    }
    const turned = node.op === 'dot';
    return cell.node === inputsOf(node)[0] ? { i: cell.row, p: cell.col }
        : turned ? { j: cell.row, p: cell.col } : { p: cell.row, j: cell.col };
}

function cut(text, room) {
    let short = text;
    while (short.length > 1 && context.measureText(short).width > room) {
        short = short.slice(0, short.length - (short.endsWith('…') ? 2 : 1)) + '…';
    }
    return short;
}

function drawNames(m, at) {
    context.font = 'bold 15' + sans;
    context.textAlign = 'left';
    context.fillStyle = colours[m.node.role];
    context.fillText(m.node.symbol + (m.turned ? 'ᵀ' : ''), m.x, m.y - 26);
    context.font = 12 + sans;
    context.fillStyle = colours.muted;
    context.textAlign = 'center';
    (m.wide >= 22 && m.colNames || []).forEach((name, col) => context.fillText(cut(name, m.wide - 3), m.x + (col + 0.5) * m.wide, m.y - 9));
    context.textAlign = 'right';
    const first = m.x < shown[0].x + 1 || (at === 1 && isProduct(tabNode()));
    (first && m.high >= 11 && m.rowNames || []).forEach((name, row) => context.fillText(cut(name, 96), m.x - 7, m.y + (row + 0.5) * m.high));
}

function band(m, row, col, colour) {
    front.strokeStyle = colour;
    front.lineWidth = 2;
    front.strokeRect(m.x + (col === undefined ? 0 : col * m.wide) - 1, m.y + (row === undefined ? 0 : row * m.high) - 1,
        (col === undefined ? m.cols : 1) * m.wide + 1, (row === undefined ? m.rows : 1) * m.high + 1);
}

// Draws the picture with what is looked at marked in it.
function mark() {
    front.resetTransform();
    front.clearRect(0, 0, canvas.width, canvas.height);
    front.drawImage(sheet, 0, 0);
    front.scale(ratio(), ratio());
    const cell = state.hover || state.cell, { i, j, p } = axesOf(cell);
    const lines = isProduct(tabNode()) ? [[i, p], [p, j], [i, j]] : shown.map(() => [i, j]);
    shown.forEach((m, at) => {
        const [row, col] = lines[at], isCell = cell && m.node === cell.node;
        if (row !== undefined && (row < m.rows) && (col === undefined || !isCell)) {
            band(m, row, undefined, at === 1 && isProduct(tabNode()) ? colours.muted : colours.query);
        }
        if (col !== undefined && col < m.cols && (row === undefined || !isCell) && isProduct(tabNode())) {
            band(m, undefined, col, at === 0 ? colours.muted : colours.key);
        }
        if (isCell) {
            band(m, row, col, colours.accent);
        }
    });
}

let colours = {};
const kept = root.querySelectorAll('.kept');
const ratio = () => devicePixelRatio;

function draw() {
    kept.forEach((figure) => { // each is of a step, and of its numbers as they came
        figure.hidden = +figure.dataset.step !== state.step;
        figure.style.opacity = e.isChanged ? 0.3 : 1;
    });
    const style = getComputedStyle(root);
    ['ink', 'muted', 'line', 'control', 'accent', 'x', 'query', 'key', 'value', 'output'].forEach((name) => {
        colours[name] = style.getPropertyValue('--' + name).trim();
    });
    const room = getComputedStyle(parts.picture), size = layOut(parts.picture.clientWidth - 2 * parseFloat(room.paddingLeft));
    canvas.width = sheet.width = size.width * ratio();
    canvas.height = sheet.height = size.height * ratio();
    canvas.style.width = size.width + 'px';
    context.scale(ratio(), ratio());
    context.textBaseline = 'middle';
    shown.forEach((m, at) => {
        const decimals = decimalsOf(m.node);
        const letters = number(-largestOf(m.node), decimals).length;
        const font = min(13, m.high * 0.6, (m.wide - 4) / letters / 0.61);
        drawNames(m, at);
        context.textAlign = 'center';
        if (m.wide < 14 && !asked()) {
            context.imageSmoothingEnabled = false;
            context.drawImage(drawPixels(element('canvas', {}), m.node, matrixAt(m.node), m.turned), m.x, m.y, m.cols * m.wide, m.rows * m.high);
            return;
        }
        for (let row = 0; row < m.rows; row++) {
            for (let col = 0; col < m.cols; col++) {
                drawCell(m, row, col, { decimals, font: font >= 8 ? font : 0 });
            }
        }
    });
    drawRun();
    mark();
}

// ---- the parts of the page --------------------------------------------------------------------

const button = (text, action, properties) => element('button', { type: 'button', text: text, onclick: action, ...properties });
const parts = {};
['steps', 'caption', 'guess', 'stages', 'headline', 'tabs', 'heads', 'picture', 'detail', 'next', 'run', 'controls', 'note', 'told'].forEach((name) => {
    parts[name] = element(name === 'guess' ? 'form' : name === 'told' ? 'p' : 'div', { kind: name });
});
parts.picture.append(canvas);
const table = element('table', {});
const formula = element('p', { kind: 'formula' });
const editor = element('input', { type: 'text', inputMode: 'decimal', label: texts.value });
const slider = element('input', { type: 'range', step: 'any', label: texts.value });
const pairButton = button(texts.pair, () => changePair());
const backButton = button('↩ ' + texts.back, () => walkBack());
const temperature = element('input', { type: 'range', min: -2, max: 2, step: 0.01, label: texts.temperature });
const temperatureNumber = element('output', {});
const mask = element('select', { label: texts.mask });
const scrubber = element('input', { type: 'range', min: 0, label: texts.following });

function showSteps() {
    const count = steps.length, step = steps[state.step];
    parts.steps.hidden = count < 2;
    refill(parts.steps.children[1], data.layers ? `${state.step + 1} / ${count}` : say('step', state.step + 1, count));
    parts.steps.children[0].disabled = state.step === 0;
    parts.steps.children[2].disabled = state.step === count - 1;
    assign(scrubber, { hidden: !data.layers || count < 5, max: count - 1, value: state.step });
    refill(parts.caption, step.caption);
    parts.caption.hidden = !step.caption;
    showGuess();
}

function showGuess() {
    const step = asked();
    parts.guess.hidden = !step;
    refill(parts.guess);
    if (!step) {
        return;
    }
    const winner = step.guess === 'winner';
    const field = winner ? element('select', {}, ...e.keys.map((word, j) => element('option', { value: j, text: word })))
        : element('input', { type: 'text', inputMode: 'decimal', autocomplete: 'off' });
    const verdict = element('span', { role: 'status' });
    const reveal = (key) => {
        answered.add(state.step);
        const text = say(key, answerOf(step));
        update();
        showTable();
        parts.guess.hidden = false;
        refill(parts.guess, element('span', { role: 'status', text: text }));
        tell(text);
    };
    parts.guess.append(element('label', {}, (winner ? texts.winner : texts.guess) + ' ', field), button(texts.check, null, { type: 'submit' }),
        button(texts.show, () => reveal('answer')), verdict);
    parts.guess.onsubmit = (event) => {
        event.preventDefault();
        if (!winner && !readGuess(field.value, false)) {
            refill(verdict, texts.noNumber);
        } else if (!judge(step, field.value)) {
            refill(verdict, texts.wrong);
        } else if (step.guess === 'matrix') {
            nextBox(guessCell(step));
        } else {
            reveal('right');
        }
    };
}

// A number of a matrix was answered: the next one is asked for, until all are known.
function nextBox({ node, row, col }) {
    known.add([state.step, state.head, row, col].join());
    const next = times(node.rows * node.cols, (at) => ({ node, row: floor(at / node.cols), col: at % node.cols }))
        .find((cell) => isSecret(cell.node, cell.row, cell.col));
    if (!next) {
        answered.add(state.step);
    }
    tableShown = '';
    select(next || state.cell);
    showGuess();
    (parts.guess.querySelector('input') || canvas).focus();
}

let tabsShown = '';
function showTabs() {
    const tabs = tabsOf(state.stage), key = [data.experiments.indexOf(e), state.stage].join();
    [...parts.stages.children].forEach((one, stage) => {
        refill(one, e.stages[stage][0]);
        one.disabled = !tabsOf(stage)[0];
        tellAria(one, 'pressed', stage === state.stage);
    });
    parts.stages.hidden = stagesThere().length < 2;
    refill(parts.headline, e.stages[state.stage][2]);
    if (key !== tabsShown) {
        tabsShown = key;
        refill(parts.tabs, ...tabs.map((node) => button(node.formula, () => go({ tab: node.id }), { title: node.meaning })));
        parts.tabs.hidden = tabs.length < 2;
        parts.heads.hidden = e.heads < 2;
        refill(parts.heads, ...times(e.heads > 1 ? e.heads : 0, (head) => {
            const one = button(e.names[head], () => go({ head }));
            one.prepend(element('canvas', {}));
            return one;
        }));
    }
    tabs.forEach((node, at) => tellAria(parts.tabs.children[at], 'pressed', node === tabNode()));
    const weights = e.nodes.find(isWeights);
    [...parts.heads.children].forEach((one, head) => {
        tellAria(one, 'pressed', head === state.head);
        if (weights && !asked()) {
            drawPixels(one.firstChild, weights, head);
        }
    });
}

function showCell() {
    const cell = state.hover || state.cell;
    refill(formula);
    const editable = Boolean(cell && cell === state.cell && cell.node.editable && !isSecret(cell.node, cell.row, cell.col));
    editor.hidden = slider.hidden = !editable;
    pairButton.hidden = !(cell && cell === state.cell && cell.node.op === 'adjust' && !e.refusal);
    backButton.hidden = !state.trail[0];
    if (!cell) {
        return;
    }
    const { title, pieces } = explain(cell);
    formula.append(element('b', { kind: cell.node.role, text: title }));
    pieces.forEach((part) => formula.append(part.node
        ? button(part.text, () => walkTo(part), { kind: part.node.role, title: titleOf(part) }) : part));
    if (editable) {
        const value = valueAt(cell.node, cell.row, cell.col), reach = isSoftmax(cell.node) ? 1 : max(4, 2 * abs(value));
        if (document.activeElement !== editor) {
            editor.value = String(Number(value.toPrecision(7)));
        }
        if (document.activeElement !== slider) {
            assign(slider, { min: isSoftmax(cell.node) ? 0 : -reach, max: reach });
        }
        slider.value = value;
    }
}

function showControls() {
    parts.controls.hidden = Boolean(e.refusal);
    parts.note.hidden = !e.refusal;
    refill(parts.note, e.refusal || '');
    temperature.value = Math.log2(e.temperature);
    tellAria(temperature, 'valuetext', temperatureNumber.textContent = number(e.temperature, 2));
    mask.value = e.maskName;
}

// The likeliest words behind the word whose row is looked at.
function showNext() {
    const rows = data.next[steps[state.step].next], words = rows && !asked() ? rows[state.query] : [];
    parts.next.hidden = !words || words.length === 0;
    refill(parts.next, say('after', e.queries[state.query]) + ': ', ...words.map(([word, share]) =>
        element('span', {}, element('b', { text: apart(word) }), ` ${number(100 * share, 1)} %`)));
}

// ---- a training run: curves, and where words stand, up to the step that is shown ----------------

// A canvas as wide as there is room, with x and y as shares of it.
function openPlot() {
    const plot = element('canvas', {}), wide = parts.run.clientWidth / (parts.run.clientWidth > 700 ? 2 : 1) - 12, brush = plot.getContext('2d');
    assign(plot, { width: wide * ratio(), height: 220 * ratio() }).style.width = wide + 'px';
    brush.scale(ratio(), ratio());
    brush.font = 12 + sans;
    parts.run.append(plot);
    return { brush, toX: (x) => 8 + x * (wide - 70), toY: (y) => 12 + (1 - y) * 196 };
}

// Scales numbers to 0 … 1.
function shares(values) {
    const known = values.filter((x) => x === x), low = min(...known), high = max(...known);
    return (x) => (high > low ? (x - low) / (high - low) : 0.5);
}

function drawLine({ brush, toX, toY }, points, colour) {
    brush.strokeStyle = brush.fillStyle = colour;
    brush.beginPath();
    points.forEach(([x, y]) => brush.lineTo(toX(x), toY(y)));
    brush.stroke();
}

function drawRun() {
    const run = data.run, count = steps.length, now = state.step;
    if (!run) {
        return;
    }
    const said = run.curves.map((curve) => curve.name + ' ' + number(data.floats[curve.numbers][now], 3)).join(' · ');
    refill(parts.run, element('p', { text: said }));
    const plot = openPlot();
    drawLine(plot, [[now / (count - 1), 0], [now / (count - 1), 1]], colours.muted);
    run.curves.forEach((curve, at) => {
        const values = [...data.floats[curve.numbers]], share = shares(values);
        drawLine(plot, values.map((y, x) => [x / (count - 1), share(y)]), at > 0 ? colours.key : colours.query);
        plot.brush.fillText(curve.name, plot.toX(1) + 4, plot.toY(share(values[count - 1])) + 4);
    });
    const places = [...data.floats[run.places]], wordPlot = openPlot(), size = 2 * run.words.length;
    const toX = shares(places.filter((x, at) => at % 2 === 0)), toY = shares(places.filter((x, at) => at % 2 === 1));
    run.words.forEach((word, at) => {
        const way = times(now + 1, (step) => [toX(places[step * size + 2 * at]), toY(places[step * size + 2 * at + 1])]);
        const isHere = e.queries.includes(word), [x, y] = way[now];
        drawLine(wordPlot, way, isHere ? colours.accent : colours.line);
        wordPlot.brush.fillStyle = isHere ? colours.accent : colours.ink;
        wordPlot.brush.fillText(word, wordPlot.toX(x), wordPlot.toY(y));
    });
}

// The matrix that is looked at as a table for a reader of the screen: one, exchanged.
const tableCells = 2048;
let tableShown = '';
function showTable() {
    const node = state.cell ? state.cell.node : tabNode(), large = node.rows * node.cols > tableCells;
    const key = [data.experiments.indexOf(e), node.id, matrixAt(node), e.version, Boolean(asked()), large && state.cell && state.cell.row].join();
    if (key === tableShown) {
        return;
    }
    tableShown = key;
    const rows = !large ? times(node.rows, (row) => row) : [state.cell ? state.cell.row : 0];
    const columns = times(node.cols, (col) => col), decimals = decimalsOf(node);
    refill(table, element('caption', { text: `${node.symbol}: ${node.meaning}` }),
        element('tr', {}, element('td', {}), ...columns.map((col) => element('th', { scope: 'col', text: nameOf(node, 'col', col) }))),
        ...rows.map((row) => element('tr', {}, element('th', { scope: 'row', text: nameOf(node, 'row', row) }),
            ...columns.map((col) => element('td', { text: isSecret(node, row, col) ? '?' : isHidden(node, row, col) ? '' : number(valueAt(node, row, col), decimals) })))));
    tellAria(canvas, 'label', say('matrix', node.symbol));
}

function tell(text) {
    refill(parts.told, text);
}

function update() {
    showTabs();
    showCell();
    showControls();
    showNext();
    draw();
}

// ---- what a person does -----------------------------------------------------------------------

function select(cell) {
    state.cell = cell;
    state.hover = null;
    if (cell) {
        keepIndices(cell);
        tell(explain(cell).text);
    }
    update();
    showTable();
}

// Shows another stage, tab or head, with the number that belongs to what was chosen before.
function go(change) {
    assign(state, change, { trail: [] });
    if (change.stage !== undefined) {
        state.tab = change.tab !== undefined ? change.tab : (tabsOf(state.stage)[0] || e.nodes[0]).id;
    }
    select(usualCell(tabNode()));
}

function goToStep(index) {
    const step = steps[index];
    const stays = e && data.layers; // from layer to layer, and from A to B, the same place is looked at
    if (!stays) {
        assign(state, { head: step.head, query: step.query, key: step.key, channel: step.channel });
    }
    state.step = index;
    e = data.experiments[step.experiment];
    if (!e.edits) {
        startAgain();
    }
    const tab = tabsOf(step.stage).find((node) => step.stage === 1 && node.id === step.projected);
    go(stays && tabsOf(state.stage).length > 0 ? { stage: state.stage, tab: state.tab }
        : tab ? { stage: step.stage, tab: tab.id } : { stage: step.stage });
    showSteps();
    tell([step.caption, parts.told.textContent].join(' '));
}

// Walks from a number to how an operand of it is made.
function walkTo({ node, row, col, head }) {
    state.trail.push({ stage: state.stage, tab: state.tab, head: state.head, cell: state.cell });
    state.head = head === undefined ? state.head : head;
    if (node.op !== 'given' || !shown.some((m) => m.node === node)) {
        const user = tabsOf(node.stage).find((tab) => tab === node || tab.in.includes(node.id));
        if (user) {
            assign(state, { stage: node.stage, tab: user.id });
        }
    }
    select({ node, row, col });
    canvas.focus();
}

function walkBack() {
    const former = state.trail.pop();
    if (former) {
        assign(state, former);
    }
    select(former ? former.cell : null);
    canvas.focus();
}

let timer = 0;
function recompute(changed) {
    engine.compute(e, e.edits, changed);
    e.version++;
    e.isChanged = true;
    update();
    clearTimeout(timer);
    timer = setTimeout(() => {
        showTable();
        tell(state.cell ? explain(state.cell).text : '');
    }, 300);
}

function type({ node, row, col }, value) {
    if (Number.isFinite(value) && abs(value) < 3e38) {
        e.edits.set(node.id, (e.edits.get(node.id) || new Map()).set(placeOf(node, row, col), Math.fround(value)));
        recompute(node);
    }
}

const adjusted = () => e.nodes.find((node) => node.op === 'adjust');

function setMask(name, pairs) {
    e.maskName = name;
    e.mask = pairs;
    recompute(adjusted());
}

const pairsOf = (visible) => e.queries.map((q, i) => e.keys.map((k, j) => (visible(i, j) ? '1' : '0')).join('')).join('');

function changePair() {
    const { row, col } = state.cell;
    setMask('own', pairsOf((i, j) => engine.sees(e, i, j) !== (i === row && j === col)));
}

// Everything of the experiment is as it came.
function startAgain() {
    e.first = e.first || { temperature: e.temperature, mask: e.mask };
    assign(e, e.first, { edits: engine.typedOf(e), maskName: 'own', isChanged: false, version: (e.version || 0) + 1 });
    if (!e.refusal) {
        engine.compute(e, e.edits);
    }
}

// ---- pointer and keys -------------------------------------------------------------------------

const boxOf = () => canvas.getBoundingClientRect();
const isTouch = (event) => event.pointerType === 'touch';

function cellAt(event) {
    const x = event.clientX - boxOf().left, y = event.clientY - boxOf().top;
    const m = shown.find((one) => x >= one.x && y >= one.y && x < one.x + one.cols * one.wide && y < one.y + one.rows * one.high);
    if (!m) {
        return null;
    }
    const row = floor((y - m.y) / m.high), col = floor((x - m.x) / m.wide);
    return { node: m.node, row: m.turned ? col : row, col: m.turned ? row : col };
}

let drag = null, frame = 0;
canvas.onpointerdown = (event) => {
    const cell = cellAt(event);
    if (cell && event.button === 0) {
        select(cell);
        if (cell.node.editable && !isTouch(event)) {
            drag = { cell: state.cell, x: event.clientX, value: valueAt(cell.node, cell.row, cell.col) };
            canvas.setPointerCapture(event.pointerId);
        }
    }
};
canvas.onpointermove = (event) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
        if (drag) {
            drag.moved = drag.moved || abs(event.clientX - drag.x) > 3;
            const value = drag.value + (event.clientX - drag.x) * (isSoftmax(drag.cell.node) ? 0.005 : 0.02);
            if (drag.moved) {
                type(drag.cell, round(value * 1000) / 1000);
            }
        } else if (!isTouch(event)) {
            state.hover = cellAt(event);
            canvas.style.cursor = state.hover ? (state.hover.node.editable ? 'ew-resize' : 'pointer') : '';
            showCell();
            mark();
        }
    });
};
canvas.onpointerup = canvas.onpointercancel = () => {
    drag = null;
};
canvas.onpointerleave = () => {
    cancelAnimationFrame(frame);
    state.hover = null;
    showCell();
    mark();
};

const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// The page follows: below a cell are the lines that explain it, above one may be the columns' words.
function move([down, right]) {
    const cell = state.cell || usualCell(tabNode());
    const m = shown.find((one) => one.node === cell.node), [rows, cols] = m && m.turned ? [right, down] : [down, right];
    const row = clamp(cell.row + rows, 0, cell.node.rows - 1), col = clamp(cell.col + cols, 0, cell.node.cols - 1);
    select({ node: cell.node, row, col });
    if (m) {
        const y = boxOf().top + m.y + (m.turned ? col : row) * m.high;
        scrollBy(0, min(0, y - 40) + max(0, y + m.high + parts.detail.offsetHeight - innerHeight));
    }
}

function enter() {
    const operand = state.cell && explain(state.cell).pieces.find((part) => part.node);
    if (operand) {
        walkTo(operand);
    } else if (!editor.hidden) {
        editor.focus();
        editor.select();
    }
}

canvas.onkeydown = (event) => {
    const arrow = arrows[event.key], action = arrow ? () => move(arrow) : { Enter: enter, Escape: walkBack }[event.key];
    if (action && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        action();
    }
};

function turnPage(by) {
    if (by > 0 && asked()) {
        parts.guess.querySelector('[type=button]').click();
    } else if (steps[1]) {
        goToStep(clamp(state.step + by, 0, steps.length - 1));
    } else {
        const stages = stagesThere();
        go({ stage: stages[clamp(stages.indexOf(state.stage) + by, 0, stages.length - 1)] });
    }
}

// A lesson that has the window to itself turns its pages wherever the focus is, as remotes of projectors ask for.
document.addEventListener('keydown', (event) => {
    const by = { PageDown: 1, PageUp: -1 }[event.key];
    const isAlone = top === self && steps[1] && !document.querySelectorAll('.attnscope')[1];
    if (by && (isAlone || root.contains(event.target))) {
        event.preventDefault();
        turnPage(by);
    }
});

editor.onchange = () => {
    const value = readGuess(editor.value, false);
    if (value && state.cell) {
        type(state.cell, value.value);
    }
};
editor.onkeydown = (event) => {
    if (event.key === 'Enter' || event.key === 'Escape') {
        editor.onchange();
        canvas.focus();
    }
};
scrubber.oninput = () => goToStep(+scrubber.value);
slider.oninput = () => type(state.cell, round(slider.value * 1000) / 1000);
temperature.oninput = () => {
    e.temperature = Math.fround(round(100 * 2 ** temperature.value) / 100);
    recompute(adjusted());
};
mask.onchange = () => setMask(mask.value, mask.value === 'own' ? e.first.mask : mask.value === 'none' ? null : pairsOf((i, j) => j <= i));

// ---- the beginning ----------------------------------------------------------------------------

parts.steps.append(button('‹', () => goToStep(state.step - 1), { label: texts.former }), element('span', {}),
    button('›', () => goToStep(state.step + 1), { label: texts.following }), scrubber);
data.experiments[0].stages.forEach((x, stage) => parts.stages.append(button('', () => go({ stage }))));
['own', 'none', 'causal'].forEach((name) => mask.append(element('option', { value: name, text: texts[name] })));
[[parts.stages, 'stages'], [parts.heads, 'heads']].forEach(([part, key]) => {
    part.setAttribute('role', 'group');
    tellAria(part, 'label', texts[key]);
});
canvas.setAttribute('role', 'application');
tellAria(parts.told, 'live', 'polite');
parts.detail.append(formula, editor, slider, pairButton, backButton);
parts.controls.append(element('label', {}, texts.temperature + ' ', temperature, temperatureNumber), element('label', {}, texts.mask + ' ', mask),
    button(texts.reset, () => {
        startAgain();
        go({ stage: state.stage, tab: state.tab });
    }));
const live = element('div', { kind: 'live' }, ...Object.values(parts), element('div', { kind: 'told' }, table));
root.querySelector('.still').after(live);
parts.guess.after(...kept);
root.dataset.live = '';
goToStep(data.start);
dark.onchange = update;
new ResizeObserver(draw).observe(parts.picture);
