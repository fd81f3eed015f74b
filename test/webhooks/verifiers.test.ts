import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The verifiers of docs/webhooks.md, copied from the page and run in their languages with all published vectors.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VECTORS = join(ROOT, 'docs/examples/webhook-vectors.json')
const LINES_MAX = 15

const document = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8')
const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as { name: string; valid: boolean }[]

/** The only block of a language. */
function block(language: string): string {
  const blocks = [...document.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(
    (match) => match[1] ?? '',
  )
  expect(blocks).toHaveLength(1)
  return blocks[0]!
}

let directory: string
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'shelfwire-verifiers-'))))
afterAll(() => rm(directory, { recursive: true }))

/** Writes the files, runs the program, and compares the JSON list of booleans that it prints with the vectors. */
async function verifyAll(files: Record<string, string>, program: string, args: readonly string[]): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  // warnings and notices go to one of the two outputs and fail the test here
  const { stdout, stderr } = await promisify(execFile)(program, [...args, VECTORS], {
    cwd: directory,
    env: { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' },
  })
  expect(stderr).toBe('')
  const answers = JSON.parse(stdout) as boolean[]
  expect(vectors.map(({ name }, i) => ({ name, valid: answers[i] }))).toEqual(
    vectors.map(({ name, valid }) => ({ name, valid })),
  )
}

/** Registers a test that needs a program; without it the test is skipped, with the reason in its title. */
function testWith(program: string, versionArgument: string, name: string, run: () => Promise<void>): void {
  const isThere = spawnSync(program, [versionArgument]).status === 0
  test.skipIf(!isThere)(isThere ? name : `${name} (skipped: ${program} is not installed)`, { timeout: 180_000 }, run)
}

test(`each verifier has at most ${LINES_MAX} lines, and there are vectors of both kinds`, () => {
  for (const language of ['js', 'python', 'php', 'go']) {
    const lines = block(language)
      .split('\n')
      .filter((line) => line.trim() !== '')
    expect(lines.length, language).toBeLessThanOrEqual(LINES_MAX)
  }
  expect(new Set(vectors.map((vector) => vector.valid))).toEqual(new Set([true, false]))
  expect(vectors.length).toBeGreaterThan(20)
})

test('the verifier for Node.js', async () => {
  const main = `
import { readFileSync } from 'node:fs'
import { verify } from './verify.mjs'
const vectors = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const absent = (value) => value ?? undefined
console.log(JSON.stringify(vectors.map((v) =>
  verify(v.secret, absent(v.timestamp), [absent(v.signature), absent(v.signature_next), absent(v.signature_previous)], Buffer.from(v.body_base64, 'base64'), v.now))))
`
  await verifyAll({ 'verify.mjs': block('js'), 'main.mjs': main }, process.execPath, ['main.mjs'])
})

testWith('python3', '--version', 'the verifier for Python', async () => {
  const main = `
import base64, json, sys
from verify import verify
with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
print(json.dumps([verify(v["secret"], v["timestamp"], [v["signature"], v["signature_next"], v["signature_previous"]], base64.b64decode(v["body_base64"]), v["now"]) for v in vectors]))
# what frameworks make of header bytes that are no UTF-8
assert verify("s", "1", ["\\udcff" * 71, "\\ud800"], b"", 1) is False
`
  await verifyAll({ 'verify.py': block('python'), 'main.py': main }, 'python3', ['-W', 'error', '-B', 'main.py'])
})

testWith('php', '--version', 'the verifier for PHP', async () => {
  const main = `<?php
require __DIR__ . '/verify.php';
$vectors = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($v) =>
    verify($v['secret'], $v['timestamp'], [$v['signature'], $v['signature_next'], $v['signature_previous']], base64_decode($v['body_base64']), $v['now']), $vectors));
`
  await verifyAll({ 'verify.php': `<?php\ndeclare(strict_types=1);\n${block('php')}`, 'main.php': main }, 'php', [
    '-d',
    'error_reporting=-1',
    '-d',
    'display_errors=stderr',
    'main.php',
  ])
})

testWith('go', 'version', 'the verifier for Go', async () => {
  // a header that is missing is an empty text there, as http.Header.Get gives it
  const main = `package main

import ("encoding/json"; "os")

type vector struct {
	Secret, Timestamp, Signature string
	SignatureNext string \`json:"signature_next"\`
	SignaturePrevious string \`json:"signature_previous"\`
	Body []byte \`json:"body_base64"\`
	Now int64
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil { panic(err) }
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil { panic(err) }
	answers := []bool{}
	for _, v := range vectors {
		answers = append(answers, verify(v.Secret, v.Timestamp, []string{v.Signature, v.SignatureNext, v.SignaturePrevious}, v.Body, v.Now))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`
  await verifyAll({ 'verify.go': `package main\n\n${block('go')}`, 'main.go': main }, 'go', [
    'run',
    'verify.go',
    'main.go',
  ])
})
