import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import vectors from '../../docs/examples/webhook-vectors.json' with { type: 'json' }
import { CLIENTS, PYTHON, titleOf } from './languages.ts'

// The clients in other languages over all published vectors. Of a body that is no JSON the signature is right, too.

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
