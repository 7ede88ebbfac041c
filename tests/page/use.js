// Uses pages in Chromium as a reader does, and looks into what a reader of the screen is given.
//
//     use.js CHROMIUM FOLDER     FOLDER has cats.html, hostile.html, large.html, sheet.html and questions.html
'use strict';
const fs = require('fs');
const path = require('path');
const { Browser } = require('./browser.js');

const [program, folder] = process.argv.slice(2);
const file = (name) => path.join(folder, name);
const url = (name) => 'file://' + file(name);
const keys = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, PageDown: 34, PageUp: 33 };
let passed = 0, failed = 0;

function check(what, is, wanted) {
    const right = wanted instanceof RegExp ? wanted.test(is) : is === wanted;
    passed += right ? 1 : 0;
    failed += right ? 0 : 1;
    if (!right) {
        console.error(`${what}: ${JSON.stringify(is)} where ${wanted} was expected`);
    }
}

// The text of a part without the marks that keep a word's direction to itself.
const text = async (browser, part) => (await browser.run(`document.querySelector('${part}').innerText`)).replace(/[\u2068\u2069]/g, '');
const press = (browser, label, part = '.live') =>
    browser.run(`[...document.querySelectorAll('${part} button')].find((one) => (one.ariaLabel || one.textContent) === '${label}').click()`)
        .then(() => browser.frames());

// The middle of a cell of the picture: the matrix's number in the stage, its row and its column.
async function placeOf(browser, x, y) {
    const box = await browser.run("(() => { const box = document.querySelector('.picture canvas').getBoundingClientRect(); return [box.left, box.top]; })()");
    return [box[0] + x, box[1] + y];
}

function quiet(browser, name) {
    check(`${name}: requests`, browser.requests.filter((one) => !/^(file|about|data):/.test(one)).join(), '');
    check(`${name}: files`, browser.requests.filter((one) => one.startsWith('file:')).length, 1);
    check(`${name}: troubles`, browser.troubles.join('; '), '');
}

async function pointAndRead(browser) {
    await browser.size(1024, 768);
    await browser.go(url('cats.html'));
    check('formula', await text(browser, '.formula'), 'S(dog, cat) = (−2.7 · −2.5) + (0.5 · 1.0) + (−0.2 · 0.0) = 7.25');
    check('told', (await text(browser, '.told')), /S, row dog, column cat: 7.25/);
    await browser.run("document.querySelector('.picture canvas').focus()");
    await browser.key('ArrowRight', keys.ArrowRight);
    check('right', await text(browser, '.formula'), /^S\(dog, dog\) = .* = 7.58$/);
    await browser.key('Enter', keys.Enter);
    check('walked back', await text(browser, '.formula'), 'Q(dog, petness) = (−2.7 · 1) + (0.5 · 0) + (−0.2 · 0) = −2.70');
    await browser.key('Escape', keys.Escape);
    check('returned', await text(browser, '.formula'), /^S\(dog, dog\)/);
    await browser.key('PageDown', keys.PageDown);
    check('second step', await text(browser, '.steps'), /Step 2 of 8/);
    check('stage of it', await browser.run("document.querySelector('.stages [aria-pressed=true]').textContent"), 'Embed');
    quiet(browser, 'cats');
}

async function pointAndDrag(browser) {
    await browser.go(url('cats.html'));
    await press(browser, 'Embed');
    const size = await browser.run("(() => { const c = document.querySelector('.picture canvas'); return [c.clientWidth, c.clientHeight]; })()");
    const place = await placeOf(browser, size[0] - 30, size[1] - 20); // the last cell: NYC, cityness
    await browser.mouse('mouseMoved', ...place);
    check('hovered', await text(browser, '.formula'), 'X(NYC, cityness) = 5.0');
    await browser.mouse('mousePressed', ...place, 'left');
    await browser.mouse('mouseMoved', place[0] - 50, place[1], 'left');
    await browser.mouse('mouseReleased', place[0] - 50, place[1], 'left');
    check('dragged', await text(browser, '.formula'), 'X(NYC, cityness) = 4.0 (typed by hand)');
    await press(browser, 'Score');
    await browser.run("document.querySelector('.picture canvas').focus()");
    await browser.key('ArrowRight', keys.ArrowRight);
    await browser.key('ArrowRight', keys.ArrowRight);
    await browser.key('ArrowRight', keys.ArrowRight);
    check('all that follows', await text(browser, '.formula'), /^S\(NYC, NYC\) = .* = 21.00$/);
    await press(browser, 'Start again');
    check('as it came', await text(browser, '.formula'), /^S\(NYC, NYC\) = .* = 30.00$/);
    await browser.run("(() => { const one = document.querySelector('.controls select'); one.value = 'causal'; one.onchange(); })()");
    await press(browser, 'Softmax');
    const row = "[...document.querySelector('.live table').rows[2].cells].map((cell) => cell.textContent.replace(/[\u2068\u2069]/g, '')).join('|')";
    check('a mask hides', await browser.run(row), 'dog|0.453|0.547||');
    await browser.go(url('masked.html'));
    check('what is hidden was no number', await browser.run("document.querySelector('.still tr:nth-child(2)').textContent"), 'cat1.000');
    await browser.run("(() => { const brush = CanvasRenderingContext2D.prototype, write = brush.fillText; window.written = []; brush.fillText = function (text, ...place) { window.written.push(text); write.call(this, text, ...place); }; })()");
    await press(browser, 'Softmax');
    const written = await browser.run("window.written.filter((text) => /^(0\\.000|−∞)$/.test(text)).join()");
    check('nor drawn as one', written, '−∞,−∞,−∞,−∞,−∞,−∞,0.000,0.000,0.000,0.000,0.000');
}

async function guess(browser) {
    await browser.go(url('cats.html'));
    for (let i = 0; i < 3; i++) {
        await browser.key('PageDown', keys.PageDown);
    }
    check('asked', await text(browser, '.formula'), 'α(dog, lion) = ?');
    check('not in the table', await browser.run("document.querySelector('.live table').rows[2].cells[3].textContent"), '?');
    const answer = async (word) => {
        await browser.run(`document.querySelector('.guess input').value = '${word}'`);
        await press(browser, 'Check', '.guess');
        return text(browser, '.guess');
    };
    check('no number', await answer('some'), /A number is wanted/);
    check('wrong', await answer('20 %'), /Not quite/);
    check('right', await answer('2,9 %'), 'Right: 0.028');
    check('shown', await text(browser, '.formula'), /^α\(dog, lion\) = e\^.* = 0.028$/);
    check('in the table too', await browser.run("document.querySelector('.live table').rows[2].cells[3].textContent"), '0.028');
}

// The whole lesson by Tab, Enter and letters alone, with what is told at each step.
async function keysAlone(browser) {
    await browser.size(1024, 768);
    await browser.go(url('cats.html'));
    const named = "(document.activeElement.ariaLabel || document.activeElement.textContent || document.activeElement.closest('label')?.textContent || '').trim()";
    const tabTo = async (label) => {
        for (let i = 0; i < 60 && !(await browser.run(named)).startsWith(label); i++) {
            await browser.key('Tab', 9);
        }
        return browser.run(named);
    };
    check('a button by Tab', await tabTo('Next step'), 'Next step');
    const captions = JSON.parse(fs.readFileSync(file('cats.html'), 'utf8').match(/<script type="application\/json">([^]*?)<\/script>/)[1]).steps.map((step) => step.caption);
    for (let step = 1; step < captions.length; step++) {
        await browser.key('Enter', keys.Enter);
        check(`step ${step + 1} is told`, (await text(browser, '.told')).startsWith(captions[step]), true);
        if (step === 3) {
            check('its question by Tab', await tabTo('Your guess'), 'Your guess');
            await browser.send('Input.insertText', { text: '0.028' });
            await browser.key('Enter', keys.Enter);
            check('its answer is told', await text(browser, '.told'), 'Right: 0.028');
            await tabTo('Next step');
        }
    }
}

// Every step of a lesson is in its page, learned weights included, and keys alone lead through it.
async function lesson(browser) {
    await browser.go(url('learned.html'));
    check('next words of the step that is shown', await text(browser, '.next'), /^next word after “\w+”:\s*\S+ \d/);
    for (let i = 0; i < 4; i++) {
        await browser.key('PageDown', keys.PageDown);
    }
    check('no next words of other steps', await browser.run("document.querySelector('.next').hidden"), true);
    check('fifth of seven', await text(browser, '.steps'), /Step 5 of 7/);
    check('it asks', await text(browser, '.guess'), /Which key gets the largest weight\?/);
    await browser.key('PageDown', keys.PageDown);
    check('the answer', await text(browser, '.guess'), 'The answer: tiger');
    await browser.key('PageDown', keys.PageDown);
    check('then the next step', await text(browser, '.steps'), /Step 6 of 7/);
    await browser.go(url('asked.html'));
    check('its worksheet', await text(browser, '.guess'), /Which key gets the largest weight\?/);
}

// A worksheet of a stage asks for every number, one after the other.
async function worksheet(browser) {
    await browser.go(url('sheet.html'));
    const table = (row, col) => browser.run(`document.querySelector('.live table').rows[${row}].cells[${col}].textContent`);
    const answer = async (word) => {
        await browser.run(`document.querySelector('.guess input').value = '${word}'`);
        await press(browser, 'Check', '.guess');
    };
    check('nothing is told', await table(1, 1) + await table(2, 2), '??');
    check('nor beforehand', await browser.run("document.querySelectorAll('.still td').length"), 0);
    await answer('1');
    check('a wrong one', await table(2, 1), '?');
    await answer('7.25');
    check('a right one', await table(2, 1) + await table(1, 1), '7.25?');
    for (const number of ['7.25', '7.25', '5', '7.58', '2.7', '5', '2.7', '26']) {
        await answer(number);
    }
    check('all of them', await browser.run("document.querySelector('.guess').hidden"), true);
    await browser.go(url('questions.html'));
    check('of a lesson', await text(browser, '.formula'), 'α(dog, lion) = ?');
}

// Of a model a page has the weights of all layers; --page-operands brings what they are made of.
async function layers(browser) {
    await browser.go(url('layers.html'));
    check('weights alone', await browser.run("document.querySelectorAll('.stages')[0].hidden"), true);
    check('caption', await text(browser, '.caption'), 'Layer 1 of 2');
    check('what comes later is hidden', await browser.run("document.querySelector('.live table').rows[1].cells[3].textContent"), '');
    const logits = JSON.parse(fs.readFileSync(file('next.json'), 'utf8')).logits.pop().map((x) => Math.exp(x));
    const share = Math.max(...logits) / logits.reduce((sum, x) => sum + x);
    check('next words', await text(browser, '.next'), new RegExp(`^next word after “.c”:\\s*\\S+ ${(100 * share).toFixed(1)} %`));
    check('of whatever word is looked at', await browser.run("document.querySelector('.picture canvas').focus()") || await browser.key('ArrowUp', keys.ArrowUp)
        || await text(browser, '.next'), /^next word after “b”/);
    check('heads have their names', await text(browser, '.heads'), /^L0H0\s+L0H1$/);
    await press(browser, 'L0H1');
    await press(browser, 'Next step');
    check('those of the layer', await text(browser, '.heads'), /^L1H0\s+L1H1$/);
    check('next layer', await text(browser, '.caption'), 'Layer 2 of 2');
    check('the same head', await browser.run("[...document.querySelectorAll('.heads button')].findIndex((one) => one.ariaPressed === 'true')"), 1);
    check('it is not computed', await text(browser, '.note'), /^A model computed these numbers: this page shows them\. /);
    await browser.go(url('operands.html'));
    await press(browser, 'Score');
    check('operands', await text(browser, '.formula'), /^S\(.*·.*\) = /);
    quiet(browser, 'layers');
}

// What was changed of a model, of a run and of numbers is said, with script and without.
async function changes(browser) {
    const said = async (name) => {
        await browser.go(url(name));
        return [await text(browser, '.caption'), await browser.run("document.querySelector('.still').textContent")];
    };
    const [layer, layers] = await said('off.html');
    check('of a model', layer, /^Layer 1 of 2 · The model is changed: L0H1 off, L1H0\.alpha\[3,2\] = 0\.40\.$/);
    check('of a model without script', layers.includes('The model is changed: L0H1 off'), true);
    const [, steps] = await said('away.html');
    check('of a run without script', steps.match(/switched off: L0H2/g).length, 3);
    await press(browser, 'Next step');
    check('of a run', await text(browser, '.caption'), /^Now L0H2 is taken away.* · From step 1500 on, switched off: L0H2\.$/);
    check('of numbers', (await said('typed.html'))[0], '2 numbers were typed by hand.');
}

// A and B of a comparison are looked at in the same place; a lesson whose mask was changed has no
// caption, which was written for other numbers.
async function sides(browser) {
    await browser.go(url('sides.html'));
    await press(browser, 'Softmax');
    check('A', await text(browser, '.caption') + await text(browser, '.formula').then((one) => one.slice(-5)), 'A0.453');
    await press(browser, 'Next step');
    check('B', await text(browser, '.caption') + await text(browser, '.formula').then((one) => one.slice(-5)), 'B0.394');
    await browser.go(url('training.html'));
    await browser.run("(() => { const one = document.querySelector('.steps input'); one.value = 5; one.oninput(); })()");
    check('a step of training', await text(browser, '.caption'), 'Step 5 of training');
    check('its loss', await text(browser, '.run p'), /^loss \d\.\d+ · right 0\.\d+$/);
    check('its next words', await text(browser, '.next'), /^next word after “\w+”:\s*\w+ \d/);
    const plots = "[...document.querySelectorAll('.run canvas')].map((one) => one.toDataURL())";
    const before = await browser.run(plots), said = await text(browser, '.run p');
    await press(browser, 'Next step');
    const after = await browser.run(plots);
    check('curves and places', before.length + after.length, 4);
    check('the curves go on', before[0] === after[0] || said === await text(browser, '.run p'), false);
    check('words go on', before[1] === after[1], false);
    await browser.go(url('changed.html'));
    check('no caption', await browser.run("document.querySelector('.caption').hidden"), true);
}

// What the script does not draw stays in sight as the figure: of its own step, paler where numbers were changed.
async function figures(browser) {
    const figure = "(() => { const one = document.querySelector('.kept'); return one ? `${one.offsetHeight > 200} ${one.style.opacity}` : 'none'; })()";
    await browser.go(url('space.html'));
    check('the view', await browser.run(figure), 'true 1');
    await browser.run("document.querySelector('.controls input').value = 1; document.querySelector('.controls input').oninput()");
    check('of other numbers', await browser.run(figure), 'true 0.3');
    await press(browser, 'Next step');
    check('of another step', await browser.run(figure), /^false/);
    await browser.go(url('cats.html'));
    check('what the script draws is there once', await browser.run(figure), 'none');
    await browser.go(url('why.html'));
    const shown = "[...document.querySelectorAll('.live .kept')].filter((one) => one.offsetHeight > 200).map((one) => one.textContent.match(/Why \\w+ rather than \\w+/)[0]).join()";
    check('a step of stages', await browser.run(shown), '');
    await press(browser, 'Next step');
    await press(browser, 'Next step');
    check('a step that asks why', await browser.run(shown), 'Why heavy rather than sweet');
    await browser.send('Emulation.setEmulatedMedia', { media: 'print' });
    check('in print too', await browser.run(shown), 'Why heavy rather than sweet');
    await browser.send('Emulation.setEmulatedMedia', { media: '' });
}

async function touch(browser) {
    await browser.size(390, 844, true, true);
    await browser.go(url('space.html'));
    check('a figure stays as large as it can be read', await browser.run("[document.querySelector('.kept svg').clientWidth >= 560, document.documentElement.scrollWidth].join()"), 'true,390');
    await browser.go(url('cats.html'));
    const size = await browser.run("(() => { const c = document.querySelector('.picture canvas'); c.scrollIntoView(); return [c.clientWidth, c.clientHeight]; })()");
    await browser.tap(...await placeOf(browser, size[0] - 20, size[1] - 20));
    check('tapped', await text(browser, '.formula'), /^S\(NYC, NYC\)/);
    check('as wide as the phone', await browser.run('document.documentElement.scrollWidth'), 390);
    // What arrow keys reach is in sight: above the lines that explain it, below the window's edge.
    await browser.size(390, 420, true, true);
    await browser.go(url('large.html'));
    const reached = `(() => {
        const c = document.querySelector('.picture canvas'), box = c.getBoundingClientRect();
        const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, scale = c.width / c.clientWidth;
        const accent = getComputedStyle(document.querySelector('.attnscope')).getPropertyValue('--accent').match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16));
        let first = c.height, last = 0;
        for (let at = 0; at < pixels.length; at += 4) {
            if (accent.every((channel, k) => Math.abs(channel - pixels[at + k]) < 3)) {
                const y = Math.floor(at / 4 / c.width);
                first = Math.min(first, y);
                last = Math.max(last, y);
            }
        }
        const detail = document.querySelector('.detail').getBoundingClientRect();
        return last > first && box.top + first / scale >= 0 && box.top + last / scale <= Math.min(innerHeight, detail.top + 2);
    })()`;
    await browser.run("document.querySelector('.picture canvas').focus()");
    for (const [key, code, times] of [['ArrowUp', 38, 12], ['ArrowDown', 40, 12]]) {
        for (let i = 0; i < times; i++) {
            await browser.key(key, code);
        }
        check(`${key} leads to what is in sight`, await browser.run(reached), true);
    }
    // What the lines below cover comes out from under them, whatever the stage.
    for (const [name, wide, high, isPhone] of [['learned', 1280, 900, false], ['learned', 390, 844, true], ['cats', 390, 420, true]]) {
        await browser.size(wide, high, isPhone, isPhone);
        await browser.go(url(name + '.html'));
        for (const stage of await browser.run("[...document.querySelectorAll('.stages button')].map((one) => one.textContent)")) {
            await press(browser, stage);
            check(`the last row of ${stage} of ${name}`, await browser.run(`(() => {
                scrollTo(0, 1e6);
                const end = (part) => document.querySelector(part).getBoundingClientRect();
                return end('.picture').bottom <= end('.detail').top;
            })()`), true);
        }
    }
    await browser.size(390, 420, true, true);
    check('dark', await browser.run("getComputedStyle(document.querySelector('.attnscope')).getPropertyValue('--ground')"), '#14171c');
    await browser.size(1024, 768);
}

async function hostile(browser) {
    await browser.go(url('hostile.html'));
    for (const stage of await browser.run("[...document.querySelectorAll('.stages button')].map((one) => one.textContent)")) {
        await press(browser, stage);
    }
    check('nothing ran', await browser.run("typeof window.harm + document.querySelectorAll('img, i').length"), 'undefined0');
    const words = await browser.run("[...document.querySelectorAll('.live th[scope=row]')].map((one) => one.textContent).join('|')");
    check('they are text', words, /<\/script>.*\|.*<img.*\|/);
    check('no direction is left', await browser.run("/[\\u202a-\\u202e\\u2028\\u2029]/.test(document.title + document.querySelector('.live').textContent + document.querySelector('.still table').textContent)"), false);
    quiet(browser, 'hostile');
}

// Under a policy, in a frame from srcdoc, and two in one document.
async function guests(browser) {
    const html = fs.readFileSync(file('cats.html'), 'utf8');
    const policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">";
    fs.writeFileSync(file('policy.html'), html.replace('<head>', '<head>' + policy));
    await browser.go(url('policy.html'));
    check('under a policy', await text(browser, '.formula'), /= 7.25$/);
    quiet(browser, 'policy');
    const quoted = html.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
    fs.writeFileSync(file('frame.html'), `<!DOCTYPE html><title>x</title>${policy}<iframe srcdoc="${quoted}"></iframe>`);
    await browser.go(url('frame.html'));
    check('in a frame', await browser.run("document.querySelector('iframe').contentDocument.querySelector('.formula').innerText.slice(-4)"), '7.25');
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>') + 7);
    fs.writeFileSync(file('two.html'), html.replace(main, main + main));
    await browser.go(url('two.html'));
    await browser.run("document.querySelectorAll('.picture canvas')[1].focus()");
    await browser.key('PageDown', keys.PageDown);
    check('two in one', await browser.run("[...document.querySelectorAll('.steps span')].map((one) => one.textContent).join()"), 'Step 1 of 8,Step 2 of 8');
    check('two: troubles', browser.troubles.join(), '');
}

async function still(browser) {
    await browser.scripts(false);
    await browser.go(url('cats.html'));
    const seen = "(() => { const one = document.querySelector('.still'); return [one.offsetHeight > 300, one.querySelectorAll('svg').length, one.querySelectorAll('li').length, one.querySelectorAll('td').length, document.querySelectorAll('.live').length].join(); })()";
    check('without script', await browser.run(seen), 'true,1,8,17,0');
    await browser.scripts(true);
    await browser.go(url('cats.html'));
    await browser.send('Emulation.setEmulatedMedia', { media: 'print' });
    check('in print', await browser.run("[getComputedStyle(document.querySelector('.picture')).display, getComputedStyle(document.querySelector('.still')).display].join()"), 'none,block');
    await browser.send('Emulation.setEmulatedMedia', { media: '' });
}

async function readAloud(browser) {
    await browser.go(url('cats.html'));
    const { nodes } = await browser.send('Accessibility.getFullAXTree');
    const names = (role) => nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => node.name?.value.replace(/[\u2068\u2069]/g, ''));
    check('a table', names('table').concat(names('LayoutTable')).join(), /^S: /);
    check('a slider says its number', await browser.run("document.querySelector('.controls input').ariaValueText"), '1.00');
    const operand = nodes.find((node) => node.role?.value === 'button' && node.name?.value === '−2.7');
    check('an operand says where it stands', operand.description.value.replace(/[\u2068\u2069]/g, ''), 'Q(dog, petness)');
    check('no group of no heads', names('group').join(), 'Stages of attention');
    check('its rows', names('rowheader').join(), 'cat,dog,lion,NYC');
    check('its columns', names('columnheader').join(), 'cat,dog,lion,NYC');
    check('its cells', names('cell').concat(names('gridcell')).filter((name) => name === '7.25').length, 3);
    check('the picture', names('application').join(), /^S: arrows move/);
    const told = nodes.find((node) => (node.properties || []).some((one) => one.name === 'live' && one.value.value === 'polite'));
    check('a live region', Boolean(told), true);
    check('every button has a name', names('button').filter((name) => !name).length, 0);
}

async function measure(browser) {
    check('size of cats', fs.statSync(file('cats.html')).size <= 250e3, true);
    check('size of twelve heads', fs.statSync(file('large.html')).size <= 300e3, true);
    check('size of 144 heads', fs.statSync(file('many.html')).size <= 450e3, true);
    await browser.go(url('many.html'));
    check('144 heads', await browser.run("document.querySelectorAll('.heads button').length") + await text(browser, '.steps'), /^12.*1 \/ 12/s);
    await browser.send('Performance.enable', { timeDomain: 'threadTicks' }); // what others do on the machine does not count
    for (const name of ['cats', 'large']) {
        await browser.go(url(name + '.html'));
        await press(browser, 'Embed');
        const spent = async () => (await browser.send('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value;
        const size = await browser.run("(() => { const c = document.querySelector('.picture canvas'); return [c.clientWidth, c.clientHeight]; })()");
        const [x, y] = await placeOf(browser, size[0] - 30, size[1] - 20), before = await text(browser, '.formula');
        await browser.mouse('mousePressed', x, y, 'left');
        const start = await spent();
        for (let i = 1; i <= 20; i++) {
            await browser.mouse('mouseMoved', x - 5 * i, y, 'left');
        }
        console.log(`${name}: ${(50 * (await spent() - start)).toFixed(1)} ms of the processor for a dragged frame`);
        await browser.mouse('mouseReleased', x - 100, y, 'left');
        check(`${name} was dragged`, await text(browser, '.formula') === before, false);
    }
    check('size of the script', (fs.readFileSync(file('cats.html'), 'utf8').match(/<script>[^]*<\/script>/)[0]).length <= 25e3, true);
    check('a page has addresses of namespaces alone', (fs.readFileSync(file('cats.html'), 'utf8').match(/https?:[^"']*/g) || [])
        .filter((one) => !one.startsWith('http://www.w3.org/')).join(), '');
}

(async () => {
    const browser = await Browser.open(program);
    for (const part of [pointAndRead, pointAndDrag, guess, keysAlone, lesson, worksheet, layers, changes, sides, figures, touch, hostile, guests, still, readAloud, measure]) {
        await part(browser).catch((error) => check(part.name, error.message, ''));
    }
    await browser.close();
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
})();
