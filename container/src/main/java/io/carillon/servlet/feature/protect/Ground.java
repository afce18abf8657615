package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.token.Ownership;
import java.util.function.ToIntFunction;

/**
 * What the ways into the store of all event loops stand on. Immutable.
 *
 * @param store of the calls
 * @param ownership which partitions this node may act for
 * @param partitions that of an application session, asked for once with its turn held
 * @param writer of records
 * @param settings times and bounds
 * @param ofKeys numbers of the states of application sessions with a key
 */
record Ground(
        CallStore store,
        Ownership ownership,
        ToIntFunction<ApplicationSession> partitions,
        RecordWriter writer,
        ProtectionSettings settings,
        StateNumbers ofKeys) {}
