import { createContext, createElement, useContext, useEffect, useLayoutEffect, useState, type ReactNode } from 'react'

// What was typed and is saved nowhere is asked about before it is lost, in whatever way: a window that is closed, a page that is left by a
// link, the palette or the browser's back, a tab that is closed. Forms register here; windows and the router ask here.

/** What was typed in one place of the page. */
export interface Typed {
  /** Set at once when it is saved, so that what follows does not ask. */
  isUnsaved: boolean
  /** The windows it is in, the innermost first. */
  scopes: readonly Scope[]
  /** Whether it is still there after a change of the address. */
  stays: (next: Place, current: Place) => boolean
  /** Given: what is said in place of the usual question. */
  question: Question | undefined
}
export interface Place {
  pathname: string
  search: object
}
/** For what belongs to a page, whatever else its address says. */
export const isSamePage = (next: Place, current: Place) => next.pathname === current.pathname
/** For forms within the page: filters in the address may change, but not the tab or what is open. */
const isSamePart = (next: Place, current: Place) =>
  isSamePage(next, current) && ['tab', 'open', 'new'].every((name) => memberOf(next, name) === memberOf(current, name))
const memberOf = ({ search }: Place, name: string) => (search as Record<string, unknown>)[name]
/** A part of the page that goes away as a whole: a window, a tab. */
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
  /** Whether there is something that would be lost. */
  when: boolean
  stays?: Typed['stays'] | undefined
  question?: Question | undefined
  /** The values of a form, which reports when it was saved. */
  of?: Typed | undefined
}

export const newTyped = (): Typed => ({ isUnsaved: false, scopes: [], stays: () => false, question: undefined })

/** Stands where something is typed. */
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

/** Everything in it goes away together. */
export function UnsavedScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const outer = useContext(CurrentScopes)
  const [scopes] = useState(() => [scope, ...outer])
  return createElement(CurrentScopes.Provider, { value: scopes }, children)
}

export const useScope = (): Scope => useState<Scope>(() => ({}))[0]

/** A question that is open. */
export interface Asked {
  question: Question | undefined
  answer: (mayBeLost: boolean) => void
}
let asked: Asked | null = null
const listeners = new Set<() => void>()
export const askedNow = () => asked
export function onAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
function show(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

const unsavedIn = (scope: Scope | null) =>
  [...everything].filter(({ isUnsaved, scopes }) => isUnsaved && (scope === null || scopes.includes(scope)))

/** Asks, if there is anything to ask about. Two questions at once would be answered by one click: the second is a no. */
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

/** Does what takes a part of the page away (null: all of it), after asking where something typed would be lost. */
export function afterAsking(scope: Scope | null, go: () => void): void {
  const answer = ask(unsavedIn(scope))
  if (answer === true) go()
  else if (answer !== false) void answer.then((mayBeLost) => (mayBeLost ? go() : undefined))
}

/** Whether the address stays as it is, because what was typed is to be kept. */
export async function isKeptFrom(next: Place, current: Place): Promise<boolean> {
  return !(await ask(unsavedIn(null).filter(({ stays }) => !stays(next, current))))
}

/** Whether closing the tab loses something. */
export const isAnythingUnsaved = () => unsavedIn(null).length > 0

/** Windows that are open, the topmost last. */
const windows: object[] = []
/** The key press or click that is being handled, and the one that a window has answered. */
let heard: Event | null = null
let answered: Event | null = null
let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  for (const type of ['keydown', 'click'] as const)
    window.addEventListener(type, (event) => void (heard = event), { capture: true })
}

/** @returns what is called when it is closed. */
function opened(scope: Scope): () => void {
  listen()
  windows.push(scope)
  return () => void windows.splice(windows.lastIndexOf(scope), 1)
}

/**
 * How a window is closed by Escape, by a click beside it and by its cross: the topmost alone, and after asking. Every
 * window receives each Escape, also the one that becomes the topmost by it.
 */
export function useWindow(close: () => void): { scope: Scope; close: () => void } {
  const scope = useScope()
  useLayoutEffect(() => opened(scope), [scope])
  return {
    scope,
    close: () => {
      if (windows.at(-1) !== scope || (heard !== null && heard === answered)) return
      answered = heard
      afterAsking(scope, close)
    },
  }
}

/** Stands where a window is open that closes itself: what closes it leaves the windows below it open. */
export function OtherWindow(): null {
  const scope = useScope()
  useLayoutEffect(() => {
    const closed = opened(scope)
    return () => {
      closed()
      answered = heard
    }
  }, [scope])
  return null
}
