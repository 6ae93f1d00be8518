import { Tooltip, UnstyledButton } from '@mantine/core'
import { type NodeKindName, nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { listNodeTypes } from '@okaeri/contract/scenarios/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { nodeIcons } from '../flow-picture/node-icon.tsx'
import { DRAGGED } from './canvas/canvas.tsx'
import classes from './flow-editor.module.css'
import icons from './kind-icon.module.css'

/** Why a kind is unavailable, by kind. */
export function useUnavailable(): ReadonlyMap<string, 'plan' | 'not_connected'> {
  const { data } = useQuery({ ...queryOf(listNodeTypes, {}), refetchInterval: false })
  return new Map(
    (data?.node_types ?? []).flatMap(({ kind, available, unavailable_because: why }) =>
      !available && why ? [[kind, why] as const] : [],
    ),
  )
}

interface PaletteProps {
  onAdd: (kind: NodeKindName) => void
}

/** Every kind of step, to drag into the picture or to click. */
export function Palette({ onAdd }: PaletteProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const unavailable = useUnavailable()
  return (
    <section className={classes.palette} aria-label={t('palette')}>
      <h2 className={classes.sideTitle}>{t('palette')}</h2>
      <p className={classes.sideText}>{t('paletteHelp')}</p>
      <ul className={classes.kinds}>
        {nodeKindNames.map((kind) => {
          const Icon = nodeIcons[kind]
          const why = unavailable.get(kind)
          const text = nodeRules(kind).words.description[language]
          const off = why === 'plan'
          return (
            <li key={kind}>
              <Tooltip
                multiline
                maw={280}
                position="right"
                openDelay={600}
                label={`${nodeRules(kind).words.name[language]}${language === 'ja' ? '：' : ': '}${text}${why ? ` ${t(`because.${why}`)}` : ''}`}
                events={{ hover: true, focus: true, touch: false }}
              >
                <UnstyledButton
                  className={classes.kind}
                  data-kind={kind}
                  data-off={off || undefined}
                  aria-disabled={off || undefined}
                  draggable={!off}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(DRAGGED, kind)
                    event.dataTransfer.effectAllowed = 'copy'
                    document.documentElement.dataset.draggingStep = ''
                  }}
                  onDragEnd={() => delete document.documentElement.dataset.draggingStep}
                  onClick={() => off || onAdd(kind)}
                >
                  <span className={icons.icon}>
                    <Icon size={18} stroke={1.8} aria-hidden />
                  </span>
                  <span className={classes.kindName}>{nodeRules(kind).words.name[language]}</span>
                </UnstyledButton>
              </Tooltip>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
