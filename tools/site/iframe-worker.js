// SPDX-License-Identifier: Apache-2.0
//
// Browsers start no workers for pages that are opened from a folder. There the search of the site runs in a
// hidden frame instead, with the interface of a worker that it uses: messages, and importScripts.
if (location.protocol === 'file:') {
    const PRELUDE = `
        window.postMessage = data => parent.dispatchEvent(new CustomEvent('frame-' + name, {detail: data}));
        window.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise(done => {
            const script = document.createElement('script');
            script.src = url;
            script.addEventListener('load', done);
            document.body.appendChild(script);
        })), Promise.resolve());`;
    let count = 0;

    window.IFrameWorker = class extends EventTarget {
        constructor(url) {
            super();
            this.url = url;
            this.onmessage = null;
            const frame = document.createElement('iframe');
            frame.hidden = true;
            frame.name = `worker${count++}`;
            window.addEventListener(`frame-${frame.name}`, event => {
                const message = new MessageEvent('message', {data: event.detail});
                this.dispatchEvent(message);
                this.onmessage?.(message);
            });
            frame.srcdoc = `<html><body><script>${PRELUDE}</script><script src="${url}"></script></body></html>`;
            this.ready = new Promise(done => frame.addEventListener('load', done));
            this.frame = frame;
            document.body.appendChild(frame);
        }

        postMessage(data) {
            this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent('message', {data})));
        }

        terminate() {
            this.frame.remove();
        }
    };
    window.Worker = window.IFrameWorker;
}
