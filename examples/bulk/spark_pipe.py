"""Documents of web archives as a table of Spark: spark-submit spark_pipe.py /shared/archives /shared/documents

Each partition is a list of archives, which Spark writes to the stdin of one `wayleave` process; its stdout is one JSON
object a line. The archives must be on a path that every executor sees, and `wayleave` on the PATH of the executors.
"""

import sys
from pathlib import Path

from pyspark.sql import SparkSession

archives, out = sys.argv[1], sys.argv[2]
spark = SparkSession.builder.appName("wayleave").getOrCreate()
names = sorted(str(path) for path in Path(archives).rglob("*.warc.gz"))
# One archive per task: a task that fails is repeated as a whole.
lists = spark.sparkContext.parallelize(names, max(1, len(names)))
# checkCode: an exit code other than 0 fails the task, and Spark tries it again.
lines = lists.pipe("wayleave convert --files-from - --out - --tolerate 1%", checkCode=True)
spark.read.json(lines).write.mode("overwrite").parquet(out)
