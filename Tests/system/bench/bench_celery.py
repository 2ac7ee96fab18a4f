"""The least that a queue of jobs does for an entry, in Celery: its status is set when the work begins and when it has ended. For `bench_jobs.py`."""

import os

import psycopg2
from celery import Celery

app = Celery("bench", broker=os.environ["BENCH_BROKER"])
# No results are kept and nothing is announced: both would cost Celery more.
app.conf.update(
    task_ignore_result=True, worker_send_task_events=False, worker_hijack_root_logger=False, broker_connection_retry_on_startup=True
)

connection = None


@app.task
def work(entry):
    global connection
    if connection is None:
        # After the fork: one for each process, for as long as it runs.
        connection = psycopg2.connect(os.environ["BENCH_DATABASE"])
        connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("update bench_entries set status = 'cleaning' where id = %s", (entry,))
        cursor.execute("update bench_entries set status = 'transcribed', finished_at = clock_timestamp() where id = %s", (entry,))
