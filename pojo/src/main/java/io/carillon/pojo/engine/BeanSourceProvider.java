package io.carillon.pojo.engine;

/** What the support of a framework says of itself; found as a service. Stateless. */
public interface BeanSourceProvider {
    /** The word for it in the context parameter {@code io.carillon.pojo.beans}. */
    String name();

    /** Name of a class of the framework: that is in the archive when this one is. */
    String needs();

    /** A source of beans, not started. */
    BeanSource create();
}
