import { Group } from '@mantine/core'
import { emailOf, type Flow, lineMessageOf } from '@okaeri/contract/scenarios/flow/flow'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { nodeTitle } from '@okaeri/contract/scenarios/words'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { SendConfirmation } from '../../../app/send-confirmation.tsx'
import { TextLink } from '../../../ui/links.tsx'
import classes from './flow-problems.module.css'

/** To be corrected in the email. */
const ofEmail: readonly FlowProblem['problem'][] = ['email_unfit', 'email_lacks_event']

interface FlowProblemsProps {
  problems: readonly FlowProblem[]
  flow: Flow
  /** Where to correct them; left out on that page itself. */
  scenario?: { id: string; mode: 'form' | 'flow' }
  /** In a form: the name of the field to correct, which says more than the node. */
  fieldOf?: (problem: FlowProblem) => string | undefined
}

/** The problems of a flow, each with a link to where it is corrected. */
export function FlowProblems({ problems, flow, scenario, fieldOf }: FlowProblemsProps) {
  const t = useWords('scenarios')
  const language = useLanguage()
  return (
    <ul className={classes.list}>
      {problems.map((each, at) => {
        const { node_id, problem, field } = each
        const node = node_id === null ? undefined : flow.nodes.find(({ id }) => id === node_id)
        const where = fieldOf?.(each) ?? (node && nodeTitle(node, language))
        const text =
          field === 'trigger.segment_id' && problem === 'trigger_incomplete'
            ? t('segmentMissing')
            : flowProblems[problem].text[language]
        const email = node ? emailOf(node) : null
        const unfitLine = node && problem === 'line_message_unfit' ? lineMessageOf(node) : null
        const isFirst = problems.findIndex(({ sender }) => sender === each.sender) === at
        if (each.sender !== undefined)
          return (
            <li key={`${at} ${node_id} ${problem} ${field}`}>
              <Unconfirmed where={where} sender={each.sender} emailId={email} asks={isFirst} />
            </li>
          )
        return (
          <li key={`${at} ${node_id} ${problem} ${field}`}>
            {where ? t('problemAt', { where, problem: text }) : text}{' '}
            {unfitLine ? (
              <TextLink to={paths.lineMessageEdit(unfitLine)} underline="always">
                {t('form.openLine')}
              </TextLink>
            ) : ofEmail.includes(problem) && email ? (
              <TextLink to={paths.email(email)} underline="always">
                {t('form.openMail')}
              </TextLink>
            ) : (
              // Every page links to this one at its top.
              problem !== 'account_unconfirmed' &&
              scenario &&
              (problem === 'plan_forbids' ? (
                <TextLink to={paths.support()} underline="always">
                  {t('plan.upgrade')}
                </TextLink>
              ) : (
                <TextLink
                  to={paths.scenarioEdit(scenario.id)}
                  underline="always"
                  {...(scenario.mode === 'flow' && { search: { mode: 'flow' } })}
                >
                  {t('mend')}
                </TextLink>
              ))
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface UnconfirmedProps {
  where: string | undefined
  sender: string
  emailId: string | null
  /** Not repeated for every email with the same sender. */
  asks: boolean
}
/** Sends the confirmation again. Another sender can be selected in the email, or in the settings for all emails. */
function Unconfirmed({ where, sender, emailId, asks }: UnconfirmedProps) {
  const t = useWords('scenarios')
  const { setting } = useMerchant()
  const ofAll = emailId === null || setting.sender_email.toLowerCase() === sender.toLowerCase()
  const problem = t('unconfirmed.sender', { sender })
  return (
    <>
      {where ? t('problemAt', { where, problem }) : problem}
      {asks && (
        <Group gap="xs" mt={4}>
          <SendConfirmation purpose="sender" email={sender} />
          <TextLink to={ofAll ? paths.settings() : paths.emailProperties(emailId)} underline="always">
            {t(ofAll ? 'unconfirmed.settings' : 'unconfirmed.email')}
          </TextLink>
        </Group>
      )}
    </>
  )
}
