import { Text } from '@mantine/core'
import { describeFlow, type FlowSentence } from '@okaeri/contract/scenarios/description'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { memo, useMemo } from 'react'
import classes from './flow-description.module.css'
import { useFlowSaying } from './flow-names.ts'

export function FlowDescription({ flow }: { flow: Flow }) {
  const saying = useFlowSaying(flow)
  const sentences = useMemo(() => describeFlow(flow, saying), [flow, saying])
  return <Sentences sentences={sentences} />
}

const Sentences = memo(function Sentences({ sentences }: { sentences: readonly FlowSentence[] }) {
  return (
    <ul className={classes.list}>
      {sentences.map((sentence, at) => (
        <li key={`${at} ${sentence.about}`} data-about={sentence.about}>
          {sentence.number !== null && (
            <span className={classes.number} aria-hidden>
              {sentence.number}
            </span>
          )}
          <div className={classes.body}>
            <Text size="sm">{sentence.text}</Text>
            {sentence.branches.map((branch) => (
              <div key={branch.port} className={classes.branch}>
                <Text size="sm" fw={600}>
                  {branch.label}
                </Text>
                <Sentences sentences={branch.sentences} />
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
})
