import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { baseLetters } from '../words/base-letters.ts'
import { withEveryRegion, useCodes, type CodeKind, type NamedCode } from '../words/codes.ts'
import classes from './code-picker.module.css'

const SHOWN = 60

/**
 * A language, currency or time zone: found by its name in the reader's language or by its code, and stored by its code. Unknown input is
 * kept, because the service validates it.
 */
export function CodePicker({
  kind,
  value,
  onChange,
  ...props
}: Omit<AutocompleteProps, 'data' | 'value' | 'onChange' | 'filter' | 'renderOption' | 'limit'> & {
  kind: CodeKind
  value: string
  onChange: (code: string) => void
}) {
  const { i18n } = useTranslation()
  const codes = useCodes(kind)
  // since the field got the focus
  const [isEdited, setEdited] = useState(false)
  const typed = value.trim()
  const wanted = plain(typed)
  const found = useMemo(() => {
    const regions = kind === 'language' && /^[a-z]{2}-/i.test(typed) ? withEveryRegion(typed, i18n.language) : []
    const all = [...codes, ...regions.filter(({ code }) => !codes.some((known) => known.code === code))]
    const isChosen = all.some(({ code }) => code === typed)
    // no list once a code has been typed in full, because it would cover the next field; all codes are offered for a value that was
    // there before
    if (isChosen && isEdited) return []
    return isChosen || wanted === '' ? all : best(all, wanted)
  }, [codes, kind, typed, wanted, i18n.language, isEdited])
  const names = useMemo(() => new Map([...codes, ...found].map(({ code, name }) => [code, name])), [codes, found])
  const chosen = names.get(kind === 'currency' ? typed.toUpperCase() : typed)
  return (
    <Autocomplete
      autoComplete="off"
      spellCheck={false}
      // the first field of a window gets the focus when the window opens
      openOnFocus={false}
      dir="ltr"
      {...props}
      value={value}
      onChange={(next) => {
        setEdited(true)
        onChange(next)
      }}
      // a name that was typed in full is replaced by its code
      onBlur={() => {
        setEdited(false)
        const named = found.filter(({ name }) => plain(name) === wanted)
        if (named.length === 1 && named[0] !== undefined) onChange(named[0].code)
      }}
      data={found.slice(0, SHOWN).map(({ code }) => code)}
      filter={({ options }) => options}
      limit={SHOWN}
      maxDropdownHeight={280}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span dir="auto">{names.get(option.value)}</span>
          <code>{option.value}</code>
        </span>
      )}
      {...(chosen === undefined
        ? {}
        : {
            rightSection: (
              <span className={classes.chosen} dir="auto" title={chosen}>
                {chosen}
              </span>
            ),
            rightSectionWidth: '60%',
            rightSectionPointerEvents: 'none' as const,
          })}
    />
  )
}

const plain = baseLetters

/** Ranks matches: codes that begin with the text, then names that begin with it, then any that contain it. */
function best(all: readonly NamedCode[], wanted: string): NamedCode[] {
  const rankOf = ({ code, name }: NamedCode) => {
    const [plainCode, plainName] = [plain(code), plain(name)]
    if (plainCode.startsWith(wanted)) return 0
    if (plainName.startsWith(wanted)) return 1
    return plainName.includes(wanted) || plainCode.includes(wanted) ? 2 : 3
  }
  return all
    .map((entry) => ({ entry, rank: rankOf(entry) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}
