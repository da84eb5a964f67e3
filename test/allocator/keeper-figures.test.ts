import { describe, expect, it } from 'vitest';
import { keeperHolders, parseKeeperWord } from '../../src/allocator/keeper-figures.ts';

const mntr = 'zk_version\tv26.7.2.1\r\nzk_znode_count\t44237\nzk_approximate_data_size\t23068672\n';
const lgif =
  'last_log_idx\t2588143254\nlatest_logs_cache_size\t87308550\ncommit_logs_cache_size\t0\n';

describe('keeperHolders', () => {
  it('says what a Keeper holds, by its words', () => {
    const sources = [
      { source: 'mntr', values: parseKeeperWord(mntr) },
      { source: 'lgif', values: parseKeeperWord(lgif) },
    ];
    expect(keeperHolders(sources)).toEqual([
      {
        kind: 'keeper-data',
        name: 'cache of the latest log entries',
        bytes: 87_308_550,
        source: 'lgif: latest_logs_cache_size',
      },
      {
        kind: 'keeper-data',
        name: 'data tree',
        bytes: 23_068_672,
        source: 'mntr: zk_approximate_data_size',
      },
    ]);
  });

  it('takes its metrics where words are not allowed', () => {
    const values = new Map([['KeeperApproximateDataSize', 5]]);
    expect(keeperHolders([{ source: 'prometheus', values }])).toMatchObject([
      { name: 'data tree', bytes: 5, source: 'prometheus: KeeperApproximateDataSize' },
    ]);
  });

  it('reads nothing out of something else', () => {
    expect(parseKeeperWord('This instance is not currently serving requests')).toEqual(new Map());
    expect(keeperHolders([])).toEqual([]);
  });
});
