import { Button } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import classes from './file-drop.module.css'

/** Where a file is dropped, or chosen by a button. */
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
  /** What the field for a file is called. */
  label: string
  /** What the button says, if it is something else. */
  button?: string
  /** Smaller, and not what the dialog is for. */
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
          // the same file may be chosen again, when it was corrected
          event.currentTarget.value = ''
          if (file !== undefined) choose(file)
        }}
      />
      <p className={classes.note}>{note}</p>
    </div>
  )
}
