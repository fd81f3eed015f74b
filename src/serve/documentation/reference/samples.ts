import { literal } from './literals.ts'
import type { Operation, Schema } from './operations.ts'
import { must } from '../../../platform/must.ts'

// Samples of one request in four languages, with the values of the recorded examples.

export interface Sample {
  language: 'curl' | 'JavaScript' | 'Python' | 'PHP'
  code: string
}

interface Asked {
  operation: Operation
  /** Base URL of the service. */
  url: string
  params: Readonly<Record<string, string | number>>
  query: Readonly<Record<string, string | number | boolean>>
  /** The full URL, with parameters and query. */
  address: string
  /** Media type of the body; null: no body. */
  type: string | null
  /** A JSON body. */
  body: unknown
  /** The environment variable that has the token; null: no token is needed. */
  token: string | null
}

/** The samples of an operation. @param url base URL of the service */
export function samplesOf(operation: Operation, url: string): Sample[] {
  const asked = askedOf(operation, url)
  return [
    { language: 'curl', code: curl(asked) },
    { language: 'JavaScript', code: javascript(asked) },
    { language: 'Python', code: python(asked) },
    { language: 'PHP', code: php(asked) },
  ]
}

/** A placeholder for a parameter without a recorded value. */
export function placeholderFor({ schema, example }: Operation['parameters'][number]): string | number {
  if (typeof example === 'string' || typeof example === 'number') return example
  const [first] = (schema['examples'] ?? schema['enum'] ?? []) as readonly unknown[]
  if (typeof first === 'string' || typeof first === 'number') return first
  return schema['type'] === 'integer' ? 1 : 'main'
}

function askedOf(operation: Operation, url: string): Asked {
  const { parameters, example, path, access } = operation
  const params = Object.fromEntries(
    parameters
      .filter((each) => each.in === 'path')
      .map((each) => [each.name, example?.params?.[each.name] ?? placeholderFor(each)]),
  )
  const query = example?.query ?? {}
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const type = Object.keys(operation.body ?? {})[0] ?? null
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(must(params[name]))))
  return {
    operation,
    url,
    params,
    query,
    type,
    address: `${url}${filled}${search === '' ? '' : `?${search}`}`,
    body: type?.endsWith('json') === true ? bodyOf(operation) : undefined,
    token: access === 'none' ? null : access === 'operator' ? 'OPERATOR_TOKEN' : 'SHELFWIRE_TOKEN',
  }
}

/** The recorded body, or one with only the required members. */
export function bodyOf({ body, example }: Operation): unknown {
  if (example?.body !== undefined) return example.body
  const schema = Object.values(body ?? {})[0]?.schema
  return schema === undefined ? {} : needed(schema)
}

function needed(schema: Schema): unknown {
  const required = (schema['required'] ?? []) as string[]
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  return Object.fromEntries(
    required.map((name) => {
      const { type, examples } = properties[name] ?? {}
      const [example] = (examples ?? []) as unknown[]
      return [name, example ?? (type === 'array' ? [] : type === 'integer' ? 1 : type === 'boolean' ? true : '…')]
    }),
  )
}

const isJson = ({ type }: Asked) => type === null || type.endsWith('json')
/** Whether every answer is one JSON document. */
const answersJson = ({ operation }: Asked) =>
  operation.answers.every(({ content }) => Object.keys(content).every((type) => type === 'application/json'))
const isForClient = (asked: Asked) => asked.token === 'SHELFWIRE_TOKEN' && isJson(asked) && answersJson(asked)

function curl({ operation, address, type, body, token }: Asked): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${quoted(address)}`,
    ...(token === null ? [] : [`-H "Authorization: Bearer $${token}"`]),
  ]
  if (type !== null && !type.endsWith('json')) lines.push(`-H "Content-Type: ${fileType(type)}"`, `-T ${fileOf(type)}`)
  else if (type !== null)
    lines.push(`-H "Content-Type: ${type}"`, `-d ${quoted(JSON.stringify(body, null, isShort(body) ? 0 : 2))}`)
  return lines.join(' \\\n  ')
}

const isShort = (body: unknown) => JSON.stringify(body).length < 50
const fileType = (type: string) => (type === 'image/*' ? 'image/jpeg' : type.includes('*') ? 'text/csv' : type)
/** The file name in a sample that sends a file. */
const fileOf = (type: string) => (fileType(type) === 'image/jpeg' ? 'picture.jpg' : 'file.csv')

function javascript(asked: Asked): string {
  const { operation, url, params, query, address, type, body, token } = asked
  if (operation.id === 'exportProducts')
    return `import { Shelfwire } from '@shelfwire/client'

const shelf = new Shelfwire({ url: '${url}', token: process.env.SHELFWIRE_TOKEN })
const { products, cursor } = await shelf.export(${Object.keys(query).length === 0 ? '' : literal(query, 'javascript')})
for await (const product of products) console.log(product.id, product.title)`
  if (isForClient(asked)) {
    const given = {
      ...(Object.keys(params).length === 0 ? {} : { params }),
      ...(Object.keys(query).length === 0 ? {} : { query }),
      ...(type === null ? {} : { body }),
    }
    const rest = Object.keys(given).length === 0 ? '' : `, ${literal(given, 'javascript')}`
    return `import { Shelfwire } from '@shelfwire/client'

const shelf = new Shelfwire({ url: '${url}', token: process.env.SHELFWIRE_TOKEN })
const { data } = await shelf.call('${operation.method} ${operation.path.replace(/^\/v1/, '')}'${rest})`
  }
  const isFile = !isJson(asked)
  const headers = type === null ? {} : { 'Content-Type': fileType(type) }
  const lines = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(token === null && Object.keys(headers).length === 0
      ? []
      : [
          `  headers: { ${[
            ...(token === null ? [] : [`Authorization: \`Bearer \${process.env.${token}}\``]),
            ...Object.entries(headers).map(([name, value]) => `'${name}': '${value}'`),
          ].join(', ')} },`,
        ]),
    ...(type === null
      ? []
      : isFile
        ? [`  body: await readFile('${fileOf(type)}'),`]
        : [`  body: JSON.stringify(${literal(body, 'javascript', 1)}),`]),
  ]
  const before = isFile ? `import { readFile } from 'node:fs/promises'\n\n` : ''
  const init = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`
  return `${before}const answer = await fetch('${address}'${init})
console.log(answer.status, await answer.${answersJson(asked) ? 'json' : 'text'}())`
}

function python(asked: Asked): string {
  const { operation, url, query, address, type, body, token } = asked
  if (isForClient(asked) && operation.method === 'GET') {
    const path = JSON.stringify(new URL(address).pathname.replace(/^.*?\/v1(?=\/)/, ''))
    const rest = Object.keys(query).length === 0 ? '' : `, ${literal(query, 'python')}`
    return `import os
from shelfwire import Client

client = Client("${url}", os.environ["SHELFWIRE_TOKEN"])
answer = client.get(${path}${rest})
print(answer.data)`
  }
  const headers = type === null ? {} : { 'Content-Type': fileType(type) }
  const lines = [
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    ...(token === null && Object.keys(headers).length === 0
      ? []
      : [
          '    headers={',
          ...(token === null ? [] : [`        "Authorization": f"Bearer {os.environ['${token}']}",`]),
          ...Object.entries(headers).map(([name, value]) => `        "${name}": "${value}",`),
          '    },',
        ]),
    ...(type === null
      ? []
      : isJson(asked)
        ? [`    data=json.dumps(${literal(body, 'python', 1)}).encode(),`]
        : [`    data=open("${fileOf(type)}", "rb").read(),`]),
  ]
  const isRead = answersJson(asked)
  const imports = ['json', ...(token === null ? [] : ['os']), 'urllib.request'].filter(
    (name) => name !== 'json' || isRead || (type !== null && isJson(asked)),
  )
  return `${imports.map((name) => `import ${name}`).join('\n')}

request = urllib.request.Request(
    "${address}",
${lines.map((line) => `${line}\n`).join('')})
with urllib.request.urlopen(request) as answer:
    print(answer.status, ${hasBody(asked) ? (isRead ? 'json.load(answer)' : 'answer.read()') : 'answer.headers'})`
}

/** Whether some successful answer has a body. */
const hasBody = ({ operation }: Asked) =>
  operation.answers.some(({ content, status }) => status.startsWith('2') && Object.keys(content).length > 0)

function php(asked: Asked): string {
  const { operation, url, query, address, type, body, token } = asked
  if (isForClient(asked) && operation.method === 'GET') {
    const path = literal(new URL(address).pathname.replace(/^.*?\/v1(?=\/)/, ''), 'php')
    const rest = Object.keys(query).length === 0 ? '' : `, ${literal(query, 'php')}`
    return `<?php
require 'vendor/autoload.php';

$client = new Shelfwire\\Client('${url}', getenv('SHELFWIRE_TOKEN'));
$answer = $client->get(${path}${rest});
print_r($answer->data);`
  }
  const headers = [
    ...(token === null ? [] : [`'Authorization: Bearer ' . getenv('${token}')`]),
    ...(type === null ? [] : [`'Content-Type: ${fileType(type)}'`]),
  ]
  const options = [
    ...(operation.method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${operation.method}',`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`]),
    ...(type === null
      ? []
      : isJson(asked)
        ? [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, 'php', 1)}),`]
        : [`    CURLOPT_POSTFIELDS => file_get_contents('${fileOf(type)}'),`]),
  ]
  return `<?php
$curl = curl_init('${address}');
curl_setopt_array($curl, [
${options.join('\n')}
]);
echo curl_exec($curl);`
}
