import { Menu } from '@mantine/core'
import { type NodeKindName, nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { useRef } from 'react'
import { useLanguage, useWords } from '../../../../app/i18n.ts'
import { nodeIcons } from '../../flow-picture/node-icon.tsx'
import type { Asking } from '../asking.ts'
import classes from './canvas.module.css'
import type { OutgoingPort } from '../model/flow-graph.ts'
import { useUnavailable } from '../palette.tsx'

const pointers = ['mousedown', 'touchstart']

interface InsertMenuProps {
  asking: Asking | null
  onChoose: (kind: NodeKindName, way: OutgoingPort) => void
  onClose: () => void
}

/** The menu of steps to insert. */
export function InsertMenu({ asking, onChoose, onClose }: InsertMenuProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const unavailable = useUnavailable()
  const chosen = useRef(false)
  return (
    <Menu
      key={asking ? `${asking.way.from} ${asking.way.port}` : 'closed'}
      opened={asking !== null}
      onClose={() => {
        // An inserted step takes the focus itself.
        if (!chosen.current && asking?.from instanceof HTMLElement) asking.from.focus({ preventScroll: true })
        chosen.current = false
        onClose()
      }}
      position="bottom"
      shadow="md"
      width={260}
      returnFocus={false}
      // The key that opens it is pressed outside and would close it at once.
      clickOutsideEvents={pointers}
      transitionProps={{ duration: 0 }}
      loop
    >
      <Menu.Target>
        <span
          className={classes.menuPlace}
          style={asking ? { left: asking.at.x, top: asking.at.y } : { display: 'none' }}
          aria-hidden
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('insertMenu')}>
        {nodeKindNames.map((kind) => {
          const Icon = nodeIcons[kind]
          return (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={18} stroke={1.8} aria-hidden />}
              disabled={unavailable.get(kind) === 'plan'}
              onClick={() => {
                if (!asking) return
                chosen.current = true
                onChoose(kind, asking.way)
              }}
            >
              {nodeRules(kind).words.name[language]}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
