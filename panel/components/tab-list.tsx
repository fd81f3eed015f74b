import { Tabs, type TabsListProps } from '@mantine/core'
import { type Ref, useEffect, useRef } from 'react'

/** Tabs in one line. On a phone the line scrolls so that the chosen tab is fully visible. */
export function TabList({
  chosen,
  ref,
  ...props
}: TabsListProps & { chosen: string | null; ref?: Ref<HTMLDivElement> }) {
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // in the next frame, because after rendering a page the router restores the previous scroll position
    const frame = requestAnimationFrame(() => {
      const list = own.current
      const tab = list?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
      if (list === null || tab === null || tab === undefined) return
      list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [chosen])
  return (
    <div ref={ref}>
      <Tabs.List ref={own} {...props} />
    </div>
  )
}
