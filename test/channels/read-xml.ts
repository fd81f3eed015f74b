import { spawnSync } from 'node:child_process'

/** A parsed XML element; names in Google's namespace are written as `g:id`. */
export interface Element {
  name: string
  text: string
  children: Element[]
}

const PROGRAM = `
import json, sys, xml.etree.ElementTree as tree
def read(element):
    name = element.tag.replace('{http://base.google.com/ns/1.0}', 'g:')
    return {'name': name, 'text': element.text or '', 'children': [read(child) for child in element]}
json.dump(read(tree.fromstring(sys.stdin.buffer.read())), sys.stdout)
`

/** Whether this machine has Python, whose XML parser is used. */
export const hasParser = spawnSync('python3', ['--version']).status === 0

/** Reads XML with Python's parser (expat), which refuses what is not well formed. */
export function readXml(text: string): Element {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PROGRAM], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Element
}

/** The items of a feed, each as the texts of its elements by name. */
export function itemsOf(feed: Element): Record<string, string[]>[] {
  const items = feed.children[0]?.children.filter(({ name }) => name === 'item') ?? []
  return items.map(({ children }) => {
    const texts: Record<string, string[]> = {}
    for (const { name, text } of children) (texts[name] ??= []).push(text)
    return texts
  })
}
