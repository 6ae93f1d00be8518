export { connectDemoLine, connectDemoStore, linkDemoFriends, type Demo, DEMO_EMAIL, prepareDemo } from './demo.ts'
