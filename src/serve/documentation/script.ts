/**
 * /docs/reference.js: remembers the reader's language of samples, and sends requests from the form of a page. It is kept as text because it is
 * served unchanged. With a session of the panel it sends the session, as the panel does; a token is kept in the tab's storage.
 */
export const SCRIPT = String.raw`'use strict'
const LANGUAGE = 'shelfwire-docs-language', TOKEN = 'shelfwire-docs-token'
const recall = (store, key) => { try { return store.getItem(key) } catch { return null } }
const keep = (store, key, value) => { try { store.setItem(key, value) } catch {} }

document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })

const chosen = recall(localStorage, LANGUAGE)
for (const input of document.querySelectorAll('input[name=language]')) {
  if (input.value === chosen) input.checked = true
  input.addEventListener('change', () => keep(localStorage, LANGUAGE, input.value))
}

for (const pre of document.querySelectorAll('pre[data-language], .example pre')) {
  if (!navigator.clipboard) break
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy: ' + pre.getAttribute('aria-label'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  pre.after(button)
}

/** The beginning of an answer is enough: an export may have gigabytes, which a tab cannot hold. */
const BYTES_MAX = 1000000
const readSome = async ({ body }) => {
  if (!body) return { text: '', isWhole: true }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  while (bytes < BYTES_MAX) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isWhole: true }
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return { text, isWhole: false }
}

const box = document.querySelector('.try')
const form = document.getElementById('try')
if (box && form) {
  box.hidden = false
  const { root, access, method, path, type } = form.dataset
  const field = (name) => form.elements.namedItem(name)
  let csrf = null
  const toggleToken = () => {
    form.querySelector('.token').hidden = field('account').value !== ''
  }
  const loadAccounts = async () => {
    if (access === 'none') return
    field('token').value = recall(sessionStorage, TOKEN) ?? ''
    if (access === 'operator') return
    const answer = await fetch(root + 'panel/api/session', { headers: { Accept: 'application/json' } }).catch(() => null)
    if (!answer?.ok) return
    const { data } = await answer.json()
    csrf = data.csrf_token
    for (const { id, name } of data.accounts) field('account').add(new Option(name + ' (signed in)', id))
    field('account').add(new Option('With a token', ''))
    field('account').closest('label').hidden = false
    field('account').addEventListener('change', toggleToken)
    toggleToken()
  }
  box.addEventListener('toggle', () => void loadAccounts(), { once: true })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  const send = async () => {
    const output = box.querySelector('output')
    const button = form.querySelector('button')
    const headers = new Headers({ Accept: 'application/json, */*;q=0.5' })
    const account = field('account')?.value ?? ''
    const token = field('token')?.value.trim() ?? ''
    if (account !== '') {
      headers.set('Shelfwire-Account', account)
      if (method !== 'GET') headers.set('X-CSRF-Token', csrf)
    } else if (token !== '') {
      keep(sessionStorage, TOKEN, token)
      headers.set('Authorization', 'Bearer ' + token)
    }
    const query = new URLSearchParams()
    let address = path
    for (const input of form.querySelectorAll('input')) {
      const [place, name] = input.name.split(':')
      if (place === 'path') address = address.replace('{' + name + '}', encodeURIComponent(input.value))
      if (place === 'query' && input.value !== '') query.set(name, input.value)
    }
    let body
    if (field('body')) {
      body = field('body').value
      headers.set('Content-Type', type)
    } else if (field('file')?.files?.[0]) {
      body = field('file').files[0]
      headers.set('Content-Type', body.type || 'application/octet-stream')
    }
    button.disabled = true
    output.textContent = 'Sending …'
    const from = performance.now()
    try {
      // with a token the session must not be sent, too
      const answer = await fetch(root.replace(/\/$/, '') + address + (query.size > 0 ? '?' + query : ''), {
        method, headers, body, credentials: account === '' ? 'omit' : 'same-origin',
      })
      const { text, isWhole } = await readSome(answer)
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      const head = document.createElement('p')
      head.className = 'head'
      head.textContent = answer.status + ' ' + answer.statusText + ' · ' + Math.round(performance.now() - from) + ' ms · ' + (isWhole ? '' : 'the first ') + text.length.toLocaleString('en') + ' characters'
      const pre = document.createElement('pre')
      pre.tabIndex = 0
      pre.setAttribute('aria-label', 'What was answered')
      pre.textContent = shown.length > 100000 ? shown.slice(0, 100000) + '\n…' : shown
      output.replaceChildren(head, ...(text === '' ? [] : [pre]))
    } catch (error) {
      output.textContent = 'There was no answer: ' + error.message
    }
    button.disabled = false
  }
}
`
