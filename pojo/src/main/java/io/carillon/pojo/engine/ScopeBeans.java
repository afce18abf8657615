package io.carillon.pojo.engine;

import java.io.Serializable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The beans of one session or call by name: an attribute of the session, so it is written with it
 * and ends with it. Safe for threads.
 */
final class ScopeBeans implements Serializable {
    private static final long serialVersionUID = 1L;

    final ConcurrentHashMap<String, ScopedInstance> instances = new ConcurrentHashMap<>();
}
