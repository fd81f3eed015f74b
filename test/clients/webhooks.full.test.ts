import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import vectors from '../../docs/examples/webhook-vectors.json' with { type: 'json' }
import { directoryOfFile } from '../harness/world.ts'
import { CLIENTS, GO, GO_SETTINGS, PHP, PYTHON, titleOf } from './languages.ts'

// The clients in other languages with all published test vectors. The signature of a body that is not JSON is also verified.

const directory = directoryOfFile('clients-webhooks')
const VECTORS = new URL('../../docs/examples/webhook-vectors.json', import.meta.url).pathname

function expectVerdicts(stdout: string): void {
  const verdicts = JSON.parse(stdout) as boolean[]
  expect(vectors.map(({ name }, i) => [name, verdicts[i]])).toEqual(vectors.map(({ name, valid }) => [name, valid]))
}

test.skipIf(PYTHON.missing !== null)(titleOf(PYTHON), async () => {
  const code = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
from shelfwire import WebhookRefused, verify_webhook

def verdict(v):
    names = {"X-Service-Timestamp": "timestamp", "X-Service-Signature": "signature",
             "X-Service-Signature-Next": "signature_next", "X-Service-Signature-Previous": "signature_previous"}
    headers = {name: v[key] for name, key in names.items() if v[key] is not None}
    try:
        verify_webhook(base64.b64decode(v["body_base64"]), headers, [v["secret"]], now=v["now"])
    except WebhookRefused:
        return False
    except ValueError:
        return True
    return True

with open(sys.argv[2], encoding="utf-8") as file:
    print(json.dumps([verdict(v) for v in json.load(file)]))
# what frameworks make of header bytes that are no UTF-8
try:
    verify_webhook(b"", {"x-service-timestamp": "1", "x-service-signature": "\\udcff" * 71}, ["s"], now=1)
    raise SystemExit("not refused")
except WebhookRefused:
    pass
`
  const { stdout, stderr } = await promisify(execFile)('python3', [
    '-W',
    'error',
    '-B',
    '-c',
    code,
    CLIENTS + 'python',
    VECTORS,
  ])
  expect(stderr).toBe('')
  expectVerdicts(stdout)
})

test.skipIf(PHP.missing !== null)(titleOf(PHP), async () => {
  const code = `<?php
require $argv[1] . '/autoload.php';
$verdict = static function (array $v): bool {
    $names = ['X-Service-Timestamp' => 'timestamp', 'X-Service-Signature' => 'signature',
        'X-Service-Signature-Next' => 'signature_next', 'X-Service-Signature-Previous' => 'signature_previous'];
    $headers = array_filter(array_map(static fn (string $key) => $v[$key], $names), is_string(...));
    try {
        Shelfwire\\Webhook::verify(base64_decode($v['body_base64']), $headers, [$v['secret']], $v['now']);
    } catch (Shelfwire\\WebhookRefused) {
        return false;
    } catch (JsonException) {
        return true;
    }
    return true;
};
echo json_encode(array_map($verdict, json_decode(file_get_contents($argv[2]), true)));
`
  const file = join(directory, 'verify.php')
  await writeFile(file, code)
  const options = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr']
  const { stdout, stderr } = await promisify(execFile)('php', [...options, file, `${CLIENTS}php`, VECTORS])
  expect(stderr).toBe('')
  expectVerdicts(stdout)
})

test.skipIf(GO.missing !== null)(titleOf(GO), { timeout: 300_000 }, async () => {
  const code = `package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"

	"shelfwire"
)

type vector struct {
	Secret            string
	Timestamp         *string
	Signature         *string
	SignatureNext     *string \`json:"signature_next"\`
	SignaturePrevious *string \`json:"signature_previous"\`
	Body              []byte  \`json:"body_base64"\`
	Now               int64
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, v := range vectors {
		header := http.Header{}
		for name, value := range map[string]*string{"X-Service-Timestamp": v.Timestamp, "X-Service-Signature": v.Signature,
			"X-Service-Signature-Next": v.SignatureNext, "X-Service-Signature-Previous": v.SignaturePrevious} {
			if value != nil {
				header.Set(name, *value)
			}
		}
		_, err := shelfwire.VerifyWebhook(v.Body, header, []string{v.Secret}, time.Unix(v.Now, 0))
		verdicts = append(verdicts, !errors.Is(err, shelfwire.ErrWebhookRefused))
	}
	_ = json.NewEncoder(os.Stdout).Encode(verdicts)
}
`
  const place = join(directory, 'verify')
  await mkdir(place)
  await writeFile(join(place, 'main.go'), code)
  const go = promisify(execFile)
  const options = { cwd: place, env: { ...process.env, ...GO_SETTINGS } }
  await go('go', ['mod', 'init', 'verify'], options)
  // as its README says
  await go('go', ['mod', 'edit', '-require=shelfwire@v0.0.0', `-replace=shelfwire=${CLIENTS}go`], options)
  const { stdout } = await go('go', ['run', '.', VECTORS], options)
  expectVerdicts(stdout)
  const { stdout: unformatted } = await go('gofmt', ['-l', `${CLIENTS}go`])
  expect(unformatted).toBe('')
  await go('go', ['vet', './...'], { ...options, cwd: `${CLIENTS}go` })
})
