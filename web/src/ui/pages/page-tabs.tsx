import { Stack, Tabs } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './page-tabs.module.css'

export interface PageTabsProps {
  /** The name of the tab list, for screen readers. */
  label: string
  /** `mark`: something in the tab needs attention; read by screen readers, otherwise a dot. */
  items: readonly { value: string; label: string; mark?: string | false | undefined }[]
  open: string
  /** Keep it in the address: tabs are linked to, and the browser's Back leads to the previous one. */
  onOpen: (tab: string) => void
  /** The open tab. */
  children: ReactNode
}

/** For the list of tabs, which needs `position: relative`: if they do not fit side by side, the open one is scrolled into view. The page does not scroll. */
export function useOpenTabInView(open: string) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [open])
  return list
}

/** The tabs of a page. Arrow keys move between them; Enter or a click opens one. */
export function PageTabs({ label, items, open, onOpen, children }: PageTabsProps) {
  const list = useOpenTabInView(open)
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
