package io.carillon.pojo.cdi;

import jakarta.enterprise.context.spi.Contextual;
import jakarta.enterprise.inject.spi.Bean;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What beans of a session are called: the same on every node, so that a bean is found where its
 * call goes on. The ids of CDI are those of one container. Static.
 */
final class BeanNames {
    private BeanNames() {}

    /** By its class, its types and its qualifiers, which tell producers of one class apart. */
    static String of(Contextual<?> contextual) {
        return contextual instanceof Bean<?> bean
                ? bean.getBeanClass().getName()
                        + sorted(bean.getTypes())
                        + sorted(bean.getQualifiers())
                : contextual.toString();
    }

    private static String sorted(Collection<?> all) {
        return all.stream()
                .map(Object::toString)
                .sorted()
                .collect(Collectors.joining(", ", " [", "]"));
    }
}
