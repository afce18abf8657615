package io.carillon.servlettest.store;

import io.carillon.servlet.port.CallStore;
import java.util.function.BooleanSupplier;

/** Nodes with a store each, as the contract wants them. Owner: the test's thread. */
public interface StoreCluster extends AutoCloseable {
    /** The store of a node, counted from 0. */
    CallStore node(int number);

    /** Ends a node's process, or what is nearest to it. */
    void kill(int number);

    /** Lets time go on until the condition holds; fails the test when it does not for long. */
    void until(String what, BooleanSupplier condition);

    @Override
    void close();
}
