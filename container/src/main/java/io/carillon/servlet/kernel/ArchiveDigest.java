package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Slot;

/**
 * Where the digest of its archive lies among the parts of an application: put there by who deploys
 * it in a cluster, and written into its records.
 */
public final class ArchiveDigest {
    public static final Slot<String> SLOT = Slot.of(String.class);

    private ArchiveDigest() {}
}
