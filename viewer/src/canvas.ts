// SPDX-License-Identifier: Apache-2.0
//
// The renderer that suits the machine: where a processor draws in place of a graphics card, smooth
// edges and shadows would cost ten times the rest, and are left out.

import { PCFSoftShadowMap, WebGLRenderer } from "three";

function contextOf(canvas: HTMLCanvasElement, antialias: boolean): WebGL2RenderingContext {
    const context = canvas.getContext("webgl2", { antialias, alpha: false });
    if (!context) throw new Error("no WebGL 2");
    return context;
}

function drawsInSoftware(context: WebGL2RenderingContext): boolean {
    const info = context.getExtension("WEBGL_debug_renderer_info");
    const name = String(context.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

/// Throws where the browser has no WebGL.
export function makeRenderer(): WebGLRenderer {
    let canvas = document.createElement("canvas");
    let context = contextOf(canvas, false);
    const software = drawsInSoftware(context);
    if (!software) {
        context.getExtension("WEBGL_lose_context")?.loseContext();
        canvas = document.createElement("canvas");
        context = contextOf(canvas, true);
    }
    const renderer = new WebGLRenderer({ canvas, context });
    renderer.setPixelRatio(software ? 1 : Math.min(2, window.devicePixelRatio));
    renderer.shadowMap.enabled = !software;
    renderer.shadowMap.type = PCFSoftShadowMap;
    return renderer;
}
