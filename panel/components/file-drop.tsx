import { Button } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import classes from './file-drop.module.css'

/** An area where a file can be dropped, with a button to choose one. */
export function FileDrop({
  label,
  button = label,
  isInDialog = false,
  accept,
  note,
  isBusy,
  choose,
  children,
}: {
  /** Label of the file input. */
  label: string
  /** Label of the button, if it differs. */
  button?: string
  /** Smaller, for a dialog in which the file is not the main subject. */
  isInDialog?: boolean
  accept?: string
  note: string
  isBusy: boolean
  choose: (file: File) => void
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={`${classes.drop} ${isInDialog ? classes.small : ''} ${isOver ? classes.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) choose(file)
      }}
    >
      {children}
      <Button variant={isInDialog ? 'default' : 'filled'} loading={isBusy} onClick={() => input.current?.click()}>
        {button}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // lets the same file be chosen again after it was corrected
          event.currentTarget.value = ''
          if (file !== undefined) choose(file)
        }}
      />
      <p className={classes.note}>{note}</p>
    </div>
  )
}
