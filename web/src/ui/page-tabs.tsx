import { Stack, Tabs } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './page-tabs.module.css'

export interface PageTabsProps {
  /** What the parts are parts of, for screen readers. */
  label: string
  /** `mark`: something in there wants to be looked at; said to screen readers, a dot for the others. */
  items: readonly { value: string; label: string; mark?: string | false | undefined }[]
  open: string
  /** Keep it in the address: parts are linked to, and the browser's way back leads to the one before. */
  onOpen: (tab: string) => void
  /** The part that is open. */
  children: ReactNode
}

/** The parts of a page, one of them open. Arrow keys move between them; Enter or a click opens one. */
export function PageTabs({ label, items, open, onOpen, children }: PageTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // Where they do not fit beside each other the open one is brought into sight; the page itself stays where it is.
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [open])
  return (
    <Tabs
      value={open}
      onChange={(tab) => tab !== null && onOpen(tab)}
      activateTabWithKeyboard={false}
      keepMounted={false}
    >
      <Tabs.List ref={list} aria-label={label} className={classes.list}>
        {items.map(({ value, label, mark }) => (
          <Tabs.Tab key={value} value={value} className={classes.tab}>
            {label}
            {mark && (
              <>
                <span className={classes.mark} title={mark} aria-hidden />
                <span className="for-screen-readers">{mark}</span>
              </>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {items.map(({ value }) => (
        <Tabs.Panel key={value} value={value} pt="lg">
          <Stack gap="lg">{children}</Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
