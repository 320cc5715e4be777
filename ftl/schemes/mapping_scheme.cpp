#include "ftl/schemes/mapping_scheme.h"

#include "ftl/schemes/demand_map.h"
#include "ftl/schemes/extents.h"
#include "ftl/schemes/log_blocks.h"
#include "ftl/schemes/zoned_map.h"

namespace ftlab {

std::unique_ptr<MappingScheme> make_mapping_scheme(const FtlConfig& config, std::uint32_t logical_pages, PageStore& store,
                                                   PageReader& reader, Collection& collection, WorkList& work) {
  const MappingConfig& mapping = config.mapping;
  if (mapping.scheme == MappingConfig::Scheme::zoned) return std::make_unique<ZonedMap>(config, store, reader);
  if (mapping.hybrid()) return std::make_unique<LogBlocks>(mapping, logical_pages, store, reader, work);
  if (mapping.scheme == MappingConfig::Scheme::extent)
    return std::make_unique<Extents>(mapping.extents, config.extent_frontier(), store, reader, collection);
  if (mapping.translation_pages == 0) return std::make_unique<MappingScheme>();
  return std::make_unique<DemandMap>(mapping, config.translation_frontier(), logical_pages, store, reader, collection);
}

}  // namespace ftlab
