import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PANEL_API_PATH, PANEL_PATH } from '../../../contract/panel/route.ts'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import { problemBody, sendProblem } from '../problem.ts'

/** The built panel. Vite puts a hash of the content into the names of files in assets/. */
const BUILT = new URL('panel/dist/', PACKAGE_ROOT)
const ASSETS = `${PANEL_PATH}/assets/`
const YEAR_MS = 31_536_000_000
/** Placeholder for the nonce of an answer in index.html: in <meta name="csp-nonce">, and on style elements. */
const NONCE = '__CSP_NONCE__'

/**
 * Allows only scripts and styles of the panel, and pictures from anywhere, because those of products are at suppliers' addresses. A style
 * element needs the nonce of its page: the component library adds some.
 */
const policy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: https: http:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Shown for the seconds in which the panel is being built beside a service that has just started. It reloads itself. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Shelfwire</title>
<style nonce="${NONCE}">
:root { color-scheme: light dark; }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 1.2rem; box-sizing: border-box; background: light-dark(#f4f4f7, #121318); color: light-dark(#1b1c25, #e6e6ee); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; padding: 1.6rem 2rem; background: light-dark(#ffffff, #191b21); border: 1px solid light-dark(#e3e3ea, #2a2c36); border-radius: 10px; }
h1 { margin: 0 0 .6rem; font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; }
p { margin: .6rem 0 0; }
.quiet { color: light-dark(#5d5e6e, #a0a2b2); font-size: .94rem; }
code { padding: .1em .25em; background: light-dark(#f4f4f7, #121318); border-radius: 4px; font-size: .9em; }
</style>
<main>
<h1>The panel is being built</h1>
<p>This takes a few seconds after the first start. The page loads itself again until the panel is there.</p>
<p class="quiet">If it stays: run <code>npm run build:panel</code> in the project’s directory, which says what is wrong, and start the service again.</p>
</main>
</html>
`
const NOT_BUILT_RETRY_SECONDS = 2

/**
 * Serves the panel's pages from panel/dist. A path without a file is a page of the application, for which index.html is sent. Without
 * a built panel the answer is a page that reloads until it is built.
 * @param nothingHere answers paths below the panel's routes that are no route
 */
export async function panelPages(
  app: FastifyInstance,
  nothingHere: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
  built: URL = BUILT,
): Promise<void> {
  const index = new URL('index.html', built)
  /** The text of index.html, read again when the file has changed. */
  let kept: { changedMs: number; text: string } | null = null
  const indexText = async (): Promise<string | null> => {
    const changedMs = await stat(index).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (changedMs === null) return null
    if (kept?.changedMs !== changedMs) kept = { changedMs, text: await readFile(index, 'utf8') }
    return kept.text
  }
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    // the wildcard for files also matches unknown paths below the panel's routes
    const [path = ''] = request.url.split('?')
    if (`${path}/`.startsWith(`${PANEL_API_PATH}/`)) return nothingHere(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      void reply.header('Allow', 'GET, HEAD')
      return sendProblem(reply, problemBody('method-not-allowed', 'pages of the panel are only read'))
    }
    if (path.startsWith(ASSETS))
      return sendProblem(reply, problemBody('unknown-route', 'the panel has no such file; load the page again'))
    const text = await indexText()
    const nonce = randomBytes(16).toString('base64')
    return reply
      .status(text === null ? 503 : 200)
      .headers({
        ...(text === null ? { 'Retry-After': NOT_BUILT_RETRY_SECONDS } : {}),
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy(nonce),
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-store',
      })
      .send((text ?? NOT_BUILT).replaceAll(NONCE, nonce))
  }
  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(page)
      if (!existsSync(built)) return
      await scope.register(fastifyStatic, {
        root: fileURLToPath(built),
        prefix: '/',
        // only files; index.html needs its nonce, so page() sends it
        allowedPath: (path) => /\.\w+$/.test(path) && path !== '/index.html',
        // by bin/panel.mjs
        preCompressed: true,
        index: false,
        redirect: false,
        dotfiles: 'ignore',
        cacheControl: false,
        decorateReply: false,
        setHeaders(response, path) {
          const isHashed = path.startsWith(fileURLToPath(new URL('assets/', built)))
          response.header('Cache-Control', isHashed ? `public, max-age=${YEAR_MS / 1_000}, immutable` : 'no-cache')
        },
      })
    },
    { prefix: PANEL_PATH },
  )
}
