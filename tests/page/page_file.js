// What the tests of pages share: the data and the engine of a page, as they stand in the file.
'use strict';
const fs = require('fs');

function read(path) {
    const html = fs.readFileSync(path, 'utf8');
    const json = html.match(/<script type="application\/json">([^]*?)<\/script>/)[1];
    const script = html.match(/<script>\n([^]*?)<\/script>/)[1];
    const [line, name] = script.match(/^const (\w+)=.*;$/m); // the engine stands on a line of its own
    const engine = new Function(`${line} return ${name};`)();
    return { html, script, data: engine.read(JSON.parse(json)), engine };
}

module.exports = { read };
