import { createContext, createElement, useContext, useEffect, useLayoutEffect, useState, type ReactNode } from 'react'

// Text that was typed and not saved is asked about before it is lost: when a window or tab is closed, and when a page is left by a link,
// the palette or the browser's back button. Forms register here; windows and the router ask here.

/** Typed text in one place of the page. */
export interface Typed {
  /** Set to false immediately after a save, so that the next action does not ask. */
  isUnsaved: boolean
  /** The windows and tabs that contain it, the innermost first. */
  scopes: readonly Scope[]
  /** Whether it survives a change of the address. */
  stays: (next: Place, current: Place) => boolean
  /** Replaces the usual question. */
  question: Question | undefined
}
export interface Place {
  pathname: string
  search: object
}
/** `stays` for text that survives any change of the address within a page. */
export const isSamePage = (next: Place, current: Place) => next.pathname === current.pathname
/** `stays` for forms within a page: they survive a change of filters, but not of the tab or of what is open. */
const isSamePart = (next: Place, current: Place) =>
  isSamePage(next, current) && ['tab', 'open', 'new'].every((name) => memberOf(next, name) === memberOf(current, name))
const memberOf = ({ search }: Place, name: string) => (search as Record<string, unknown>)[name]
/** A part of the page that disappears as a whole: a window or a tab. */
export type Scope = object
export interface Question {
  title: string
  text: string
  lose: string
  stay: string
}

const everything = new Set<Typed>()
const CurrentScopes = createContext<readonly Scope[]>([])

export interface UnsavedProps {
  /** Whether there is text that would be lost. */
  when: boolean
  stays?: Typed['stays'] | undefined
  question?: Question | undefined
  /** The entry of a form, which itself sets `isUnsaved` after a save. */
  of?: Typed | undefined
}

export const newTyped = (): Typed => ({ isUnsaved: false, scopes: [], stays: () => false, question: undefined })

/** Registers typed text while it is mounted. */
export function Unsaved({ when, stays, question, of }: UnsavedProps): null {
  const [own] = useState(newTyped)
  const typed = of ?? own
  const scopes = useContext(CurrentScopes)
  useEffect(() => {
    typed.scopes = scopes
    typed.stays = stays ?? (scopes.length === 0 ? isSamePart : () => false)
    typed.question = question
  })
  useEffect(() => {
    typed.isUnsaved = when
  }, [typed, when])
  useEffect(() => {
    everything.add(typed)
    return () => void everything.delete(typed)
  }, [typed])
  return null
}

/** A part of the page whose content disappears together. */
export function UnsavedScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const outer = useContext(CurrentScopes)
  const [scopes] = useState(() => [scope, ...outer])
  return createElement(CurrentScopes.Provider, { value: scopes }, children)
}

export const useScope = (): Scope => useState<Scope>(() => ({}))[0]

/** An open question. */
export interface Asked {
  question: Question | undefined
  answer: (mayBeLost: boolean) => void
}
let asked: Asked | null = null
const listeners = new Set<() => void>()
export const pendingQuestion = () => asked
export function onPendingQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function show(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

const unsavedIn = (scope: Scope | null) =>
  [...everything].filter(({ isUnsaved, scopes }) => isUnsaved && (scope === null || scopes.includes(scope)))

/**
 * Asks, if there is unsaved text. @returns whether it may be lost; false while another question is open, because one
 * click would answer both
 */
function ask(unsaved: readonly Typed[]): boolean | Promise<boolean> {
  if (unsaved.length === 0) return true
  if (asked !== null) return false
  return new Promise((resolve) => {
    show({
      question: unsaved.find(({ question }) => question !== undefined)?.question,
      answer(mayBeLost) {
        show(null)
        if (mayBeLost) for (const typed of unsaved) typed.isUnsaved = false
        resolve(mayBeLost)
      },
    })
  })
}

/** Removes a part of the page (null: all of it) by `go`, after asking if typed text would be lost. */
export function leaveAfterAsking(scope: Scope | null, go: () => void): void {
  const answer = ask(unsavedIn(scope))
  if (answer === true) go()
  else if (answer !== false) void answer.then((mayBeLost) => (mayBeLost ? go() : undefined))
}

/** Whether the person refuses a change of the address in order to keep typed text. */
export async function isKeptFrom(next: Place, current: Place): Promise<boolean> {
  return !(await ask(unsavedIn(null).filter(({ stays }) => !stays(next, current))))
}

/** Whether closing the tab would lose typed text. */
export const isAnythingUnsaved = () => unsavedIn(null).length > 0

/** Open windows, the topmost last. */
const windows: object[] = []
/** The event that is being handled, and the event that a window has already handled. */
let currentEvent: Event | null = null
let handledEvent: Event | null = null
let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  for (const type of ['keydown', 'click'] as const)
    window.addEventListener(type, (event) => void (currentEvent = event), { capture: true })
}

/** Registers an open window. @returns a function that unregisters it */
function opened(scope: Scope): () => void {
  listen()
  windows.push(scope)
  return () => void windows.splice(windows.lastIndexOf(scope), 1)
}

/**
 * Closes a window on Escape, a click outside, or its cross, after asking. Only the topmost window reacts: every open
 * window receives each Escape, including one that becomes topmost because of it.
 */
export function useWindow(close: () => void): { scope: Scope; close: () => void } {
  const scope = useScope()
  useLayoutEffect(() => opened(scope), [scope])
  return {
    scope,
    close: () => {
      if (windows.at(-1) !== scope || (currentEvent !== null && currentEvent === handledEvent)) return
      handledEvent = currentEvent
      leaveAfterAsking(scope, close)
    },
  }
}

/** Registers a window that closes itself, so that the event that closes it does not also close the windows below. */
export function OtherWindow(): null {
  const scope = useScope()
  useLayoutEffect(() => {
    const closed = opened(scope)
    return () => {
      closed()
      handledEvent = currentEvent
    }
  }, [scope])
  return null
}
