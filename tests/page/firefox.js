// Uses a page in Firefox without a window, driven over its Marionette protocol: no library is needed.
//
//     firefox.js FIREFOX FOLDER     FOLDER has cats.html, training.html and sheet.html
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const [program, folder] = process.argv.slice(2);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'attnscope-firefox-'));
let failed = 0, number = 0, received = Buffer.alloc(0);
const waiting = new Map();

function check(what, is, wanted) {
    const right = wanted instanceof RegExp ? wanted.test(is) : is === wanted;
    failed += right ? 0 : 1;
    if (!right) {
        console.error(`Firefox: ${what}: ${JSON.stringify(is)} where ${wanted} was expected`);
    }
}

// Messages are "LENGTH:JSON"; an answer is [1, number, error, result].
function hear(chunk) {
    received = Buffer.concat([received, chunk]);
    for (let colon = received.indexOf(58); colon > 0; colon = received.indexOf(58)) {
        const end = colon + 1 + Number(received.subarray(0, colon));
        if (received.length < end) {
            return;
        }
        const message = JSON.parse(received.subarray(colon + 1, end));
        received = received.subarray(end);
        if (Array.isArray(message)) {
            const { done, fail } = waiting.get(message[1]);
            message[2] ? fail(new Error(message[2].message)) : done(message[3]);
        }
    }
}

function send(socket, command, parameters) {
    const text = Buffer.from(JSON.stringify([0, ++number, command, parameters || {}]));
    socket.write(`${text.length}:`);
    socket.write(text);
    return new Promise((done, fail) => waiting.set(number, { done, fail }));
}

// The port that Firefox has chosen stands in its profile once it listens.
async function connect(firefox) {
    for (let i = 0; i < 1200 && firefox.exitCode === null; i++) {
        const port = fs.existsSync(path.join(profile, 'MarionetteActivePort'))
            ? Number(fs.readFileSync(path.join(profile, 'MarionetteActivePort'), 'utf8')) : 0;
        if (port > 0) {
            return net.connect(port, '127.0.0.1').on('data', hear);
        }
        await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error('Firefox does not listen.');
}

async function use(socket) {
    const run = async (script) => (await send(socket, 'WebDriver:ExecuteScript', { script: `return ${script}`, args: [] })).value;
    const text = async (part) => (await run(`document.querySelector('${part}').innerText`)).replace(/[\u2068\u2069]/g, '');
    const go = (name) => send(socket, 'WebDriver:Navigate', { url: 'file://' + path.join(folder, name) });
    const key = (value) => send(socket, 'WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys',
        actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }] });
    const pageDown = '\uE00F', right = '\uE014', enter = '\uE007', escape = '\uE00C';

    await send(socket, 'WebDriver:NewSession', {});
    await go('cats.html');
    check('a lesson', await text('.steps'), /Step 1 of 8/);
    check('its sum', await text('.formula'), 'S(dog, cat) = (−2.7 · −2.5) + (0.5 · 1.0) + (−0.2 · 0.0) = 7.25');
    await run("document.querySelector('.picture canvas').focus()");
    await key(right);
    check('the cell at the right', await text('.formula'), /^S\(dog, dog\) = .* = 7.58$/);
    await key(enter);
    check('its operand', await text('.formula'), /^Q\(dog, petness\)/);
    await key(escape);
    for (let i = 0; i < 3; i++) {
        await key(pageDown);
    }
    check('a guess', await text('.formula'), 'α(dog, lion) = ?');
    await run("document.querySelector('.guess input').focus()");
    for (const letter of '2.9%') {
        await key(letter);
    }
    await key(enter);
    check('answered', await text('.guess'), 'Right: 0.028');
    check('a table for those who listen', await run("document.querySelector('.live table').rows[2].cells[3].textContent"), '0.028');
    check('names for them', await run("[...document.querySelectorAll('button')].every((one) => one.ariaLabel || one.textContent)"), true);
    const box = await run("(() => { const box = document.querySelector('.picture canvas').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()");
    const [x, y] = [Math.round(box[0] + box[2] - 20), Math.round(box[1] + box[3] - 15)];
    await send(socket, 'WebDriver:PerformActions', { actions: [{ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }] });
    check('pointed at', await text('.formula'), /^α\(NYC, NYC\)/);
    await go('training.html');
    check('a run', await run("document.querySelectorAll('.run canvas').length"), 2);
    await go('sheet.html');
    check('a worksheet', await text('.formula'), /= \?$/);
    await send(socket, 'Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
}

(async () => {
    fs.writeFileSync(path.join(profile, 'user.js'), 'user_pref("marionette.port", 0);\nuser_pref("app.update.enabled", false);\n' +
        'user_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("network.proxy.type", 0);\n');
    const firefox = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
    try {
        await use(await connect(firefox));
    } catch (error) {
        check('use', error.message, '');
    }
    firefox.kill();
    if (firefox.exitCode === null) {
        await new Promise((done) => firefox.on('exit', done));
    }
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    console.log(`Firefox: ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
})();
