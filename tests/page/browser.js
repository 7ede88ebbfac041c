// Chromium without a window, driven over its DevTools protocol through a pipe: no library is needed.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Browser {
    static async open(program) {
        const browser = new Browser();
        browser.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'attnscope-page-'));
        browser.process = spawn(program, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
            '--remote-debugging-pipe', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', `--user-data-dir=${browser.folder}`, 'about:blank'],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        browser.waiting = new Map();
        browser.number = 0;
        browser.requests = [];
        browser.troubles = [];
        let rest = '';
        browser.process.stdio[4].on('data', (chunk) => {
            const messages = (rest + chunk).split('\0');
            rest = messages.pop();
            messages.forEach((message) => browser.hear(JSON.parse(message)));
        });
        const { targetInfos } = await browser.send('Target.getTargets');
        const page = targetInfos.find((target) => target.type === 'page');
        browser.session = (await browser.send('Target.attachToTarget', { targetId: page.targetId, flatten: true })).sessionId;
        for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Accessibility']) {
            await browser.send(`${domain}.enable`);
        }
        return browser;
    }

    hear(message) {
        if (message.id) {
            const { done, fail } = this.waiting.get(message.id) || { done() {}, fail() {} };
            this.waiting.delete(message.id);
            return message.error ? fail(new Error(message.error.message)) : done(message.result);
        }
        if (message.method === 'Network.requestWillBeSent') {
            this.requests.push(message.params.request.url);
        } else if (message.method === 'Runtime.exceptionThrown') {
            this.troubles.push(message.params.exceptionDetails.exception?.description || 'exception');
        } else if (message.method === 'Log.entryAdded') {
            this.troubles.push(message.params.entry.text);
        }
        return undefined;
    }

    send(method, params) {
        const id = ++this.number, session = this.session;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + '\0');
        return new Promise((done, fail) => {
            const late = setTimeout(() => fail(new Error(`${method} has no answer`)), 8000);
            this.waiting.set(id, { done: (result) => done(result, clearTimeout(late)), fail: (error) => fail(error, clearTimeout(late)) });
        });
    }

    async go(url) {
        this.requests.length = this.troubles.length = 0;
        await this.send('Page.navigate', { url });
        for (let i = 0; i < 100 && await this.run('document.readyState') !== 'complete'; i++) {
            await new Promise((done) => setTimeout(done, 20));
        }
        if (!this.withoutScript) { // a page without script has no frames to wait for
            await this.frames();
        }
    }

    async scripts(run) {
        this.withoutScript = !run;
        await this.send('Emulation.setScriptExecutionDisabled', { value: !run });
    }

    // The value of an expression in the page.
    async run(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate',
            { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) {
            throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
        }
        return result.value;
    }

    frames() {
        return this.run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))');
    }

    async size(width, height, dark, touch) {
        await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: Boolean(touch) });
        await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
        await this.send('Emulation.setTouchEmulationEnabled', { enabled: Boolean(touch) });
        await this.frames();
    }

    async mouse(type, x, y, button) {
        await this.send('Input.dispatchMouseEvent', { type, x, y, button: button || 'none', buttons: button ? 1 : 0, clickCount: 1 });
        await this.frames();
    }

    async click(x, y) {
        await this.mouse('mouseMoved', x, y);
        await this.mouse('mousePressed', x, y, 'left');
        await this.mouse('mouseReleased', x, y, 'left');
    }

    async tap(x, y) {
        await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
        await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await this.frames();
    }

    async key(key, code) {
        for (const type of ['rawKeyDown', 'keyUp']) {
            await this.send('Input.dispatchKeyEvent', { type, key, windowsVirtualKeyCode: code, code: key });
        }
        if (key === 'Enter') {
            await this.send('Input.dispatchKeyEvent', { type: 'char', text: '\r' });
        }
        await this.frames();
    }

    async picture(file) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    async close() {
        const ended = new Promise((done) => this.process.on('exit', done));
        this.session = undefined;
        await this.send('Browser.close').catch(() => this.process.kill());
        await ended;
        fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

module.exports = { Browser };
