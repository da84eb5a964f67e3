/**
 * Frames that say how memory was asked for or how a thread began, not what it is for. Words are qualified names as
 * `functionPath` gives them, matched whole; * stands for anything. Raise the version with every change: pictures and
 * kept numbers name it.
 */
export const NOISE_RULES_VERSION = 3;

/**
 * The allocator and what calls it on everybody's behalf. The outermost such frame of a stack and all below it go.
 * Sources: jemalloc bin/jeprof.in (the list of functions it skips), ClickHouse's own allocator and memory tracker.
 */
export const ALLOCATOR_FRAMES = `
  malloc calloc realloc reallocarray posix_memalign aligned_alloc memalign valloc pvalloc free cfree
  mallocx rallocx xallocx dallocx sdallocx sdallocx_noflags nallocx malloc_default
  jemalloc!* je_* prof_* arena_malloc* arena_palloc* arena_ralloc* arena_alloc* arena_dalloc* arena_run_*
  arena_bin_* arena_slab_* arena_extent_* arena_tcache_* arena_cache_bin_* arena_choose* arena_large_* arena_decay* arena_new arena_init*
  arena_get* tcache_* large_malloc large_palloc large_ralloc* imalloc* ialloc* iralloc* isalloc* ixalloc*
  newImpl fallbackNewImpl fallback_impl do_mallocx do_rallocx do_xallocx ifree isfree ipalloc*
  __libc_malloc __libc_calloc __libc_realloc __libc_memalign __GI___libc_malloc _int_malloc _int_realloc _int_memalign
  __malloc_hook __interceptor_malloc tc_malloc tc_calloc tc_realloc tc_new tc_newarray tcmalloc::*
  __rust_alloc* __rdl_alloc* __rg_alloc* alloc::alloc::*
  operator?new operator?new[] operator?delete operator?delete[]
  __libcpp_operator_new std::__libcpp_operator_new
`;

/**
 * What stands between the allocator and the code that wants memory: ClickHouse's own allocator and memory tracker,
 * the profiler that took the sample, containers that grow. They go only where nothing but noise is below them.
 */
export const PLUMBING_FRAMES = `
  Memory::newImpl Memory::newNoExcept Memory::trackMemory Allocator::* allocNoTrack DB::allocNoTrack
  AllocatorWithHint::* AllocatorWithStackMemory::* DB::Memory::* CRYPTO_malloc CRYPTO_zalloc CRYPTO_realloc
  MemoryTracker::* CurrentMemoryTracker::* AllocationTrace::* DB::MemoryTracker::* DB::CurrentMemoryTracker::*
  StackTrace::* DB::TraceSender::send DB::TraceCollector::collect MemoryDumper::* DB::Jemalloc::*
  std::* __gnu_cxx::* boost::container::* DB::PODArrayBase::* DB::PODArray::* PODArrayBase::*
`;

/** How threads and the process begin. They go from the root up to the first frame that is none of them. */
export const THREAD_START_FRAMES = `
  _start __libc_start_main* __libc_start_call_main generic_start_main start_thread thread_start clone clone3 __clone
  __clone3 __GI___clone GI___clone execute_native_thread_routine
  std::__thread_proxy* std::__thread_execute* std::thread::* std::__function::* std::function::* std::__invoke*
  std::invoke* std::__apply* std::apply* std::_Function_* std::__packaged_task* std::packaged_task::*
  std::__async_* std::_Bind*
  ThreadPool::worker ThreadPoolImpl::* ThreadFromGlobalPool::* ThreadFromGlobalPoolImpl::* DB::ThreadPool*
  DB::threadPoolCallbackRunner*
  Poco::ThreadImpl::runnableEntry Poco::PooledThread::run Poco::RunnableHolder::run Poco::CallableHolder::run
  Poco::ThreadTarget::run Poco::Util::Application::run Poco::Util::ServerApplication::run
  main mainEntryClickHouse* DB::Server::run DB::Server::main DB::Keeper::run DB::Keeper::main BaseDaemon::*
`;
