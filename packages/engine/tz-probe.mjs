import { DuckDBInstance } from '@duckdb/node-api';
const c = await (await DuckDBInstance.create()).connect();
for (const z of ['+05:30','GMT+05:30','UTC+05:30','Etc/GMT-5','+05:00','GMT+5','Asia/Kolkata','-03:30','GMT-0330','Etc/GMT+05:30']) {
  try { await c.run(`SET TimeZone='${z}'`); const r=await c.runAndReadAll("SELECT current_setting('TimeZone'), TIMESTAMPTZ '2020-01-01 00:00:00+00'::VARCHAR, hour(TIMESTAMPTZ '2020-01-01 00:00:00+00')"); console.log(z, JSON.stringify(r.getRows().map(x=>x.map(String)))); } catch(e) { console.log(z, 'ERR', e.message.slice(0,150)); }
}
for (const q of ["SELECT DATE '2020-01-01' + INTERVAL 1 DAY", "SELECT 1 LIMIT CAST('5' AS BIGINT)", "SELECT row(1,'a')", "SELECT typeof(row(1,'a'))"]) try { console.log(q, JSON.stringify((await c.runAndReadAll(q)).getRows().map(x=>x.map(String)))); } catch(e) { console.log(q,'ERR',e.message.slice(0,100)); }
