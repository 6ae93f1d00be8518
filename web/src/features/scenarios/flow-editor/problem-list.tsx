import { CloseButton, Text, UnstyledButton } from '@mantine/core'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { IconAlertCircle, IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { START_ID } from './editing.ts'
import classes from './flow-editor.module.css'
import icons from './kind-icon.module.css'
import { findNode } from './model/flow-graph.ts'
import { useTitles } from './titles.ts'

interface ProblemListProps {
  flow: Flow
  problems: readonly FlowProblem[]
  onOpen: (id: string) => void
  onClose: () => void
}

/** All problems, each with a link to its step. */
export function ProblemList({ flow, problems, onOpen, onClose }: ProblemListProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const titles = useTitles(flow)
  return (
    <section className={classes.problems} aria-label={t('problems.title')}>
      <div className={classes.sideHead}>
        <h2 className={classes.sideTitle}>{t('problems.title')}</h2>
        <CloseButton aria-label={t('problems.close')} onClick={onClose} />
      </div>
      {problems.length === 0 ? (
        <Text size="sm" className={classes.ready}>
          <IconCircleCheck size={18} aria-hidden /> {t('problems.ready')}
        </Text>
      ) : (
        <ul className={classes.problemRows}>
          {problems.map(({ node_id, problem, field }, at) => {
            const node = findNode(flow, node_id)
            const title = node ? (titles.get(node.id) ?? '') : t(isOfStart(problem) ? 'start' : 'problems.whole')
            return (
              <li key={`${at} ${node_id} ${problem} ${field}`}>
                <UnstyledButton className={classes.problemRow} onClick={() => onOpen(node?.id ?? START_ID)}>
                  <IconAlertCircle size={18} aria-hidden className={icons.alert} />
                  <span>
                    <b>{title}</b>
                    <br />
                    {flowProblems[problem].text[language]}
                  </span>
                  <IconChevronRight size={16} aria-hidden />
                </UnstyledButton>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

const isOfStart = (problem: FlowProblem['problem']): boolean =>
  problem === 'trigger_incomplete' ||
  problem === 'condition_invalid' ||
  problem === 'segment_gone' ||
  problem === 'no_start'
