export {
  connectDemoLine,
  connectDemoStore,
  linkDemoFriends,
  makeDemoExamples,
  type Demo,
  DEMO_EMAIL,
  prepareDemo,
} from './demo.ts'
