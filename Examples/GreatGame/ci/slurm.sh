#!/bin/sh
# Builds the packs in shards with a job array of Slurm, and merges the shards with a job that waits for the array:
#   ci/slurm.sh OUTPUT COUNT [SBATCH-OPTION...]
# All nodes need packtool and this project at the same path, as on a shared disk. The script ends when the packs are
# merged, and fails if a job fails. The shards stay in build/parts, so the next run packs only changed packs.
set -eu

output=$1 count=$2
shift 2
project=$(cd "$(dirname "$0")/.." && pwd)
packtool=${PACKTOOL:-packtool}
cd "$project"
rm -rf build/logs
mkdir -p build/logs

# Slurm numbers the tasks of an array like shards. A file NUMBER.done says that a task succeeded, because an older
# shard can be in its folder.
array=$(sbatch --parsable --job-name=packs --array="1-$count" --output=build/logs/%a "$@" --wrap "
  '$packtool' build --quiet --shard \$SLURM_ARRAY_TASK_ID/$count -o build/parts/\$SLURM_ARRAY_TASK_ID &&
  touch build/logs/\$SLURM_ARRAY_TASK_ID.done")
parts=$(seq -s " " -f "build/parts/%g" "$count")
if ! sbatch --quiet --wait --dependency="afterany:$array" --job-name=merge --output=build/logs/merge "$@" --wrap "
  test \$(ls build/logs | grep -c done) = $count &&
  '$packtool' merge --output='$output' -- $parts"; then
  cat build/logs/* >&2
  exit 1
fi
