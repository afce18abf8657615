package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.port.Slot;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What applications keep that no record can take: each class is named once in the log. Among the
 * parts of an application, which it lives as long as. Any thread.
 */
final class LeftBehind {
    private static final Logger LOG = LoggerFactory.getLogger(LeftBehind.class);
    private static final Slot<LeftBehind> SLOT = Slot.of(LeftBehind.class);

    /** Classes that are named; an application that has more has been told enough. */
    private static final int MOST_CLASSES = 100;

    private final Set<String> named = ConcurrentHashMap.newKeySet();

    private LeftBehind() {}

    static void tell(Application application, List<AttributeCodec.LeftOut> all) {
        LeftBehind of = application.parts().get(SLOT);
        if (of == null) {
            of = new LeftBehind();
            application.parts().put(SLOT, of);
        }
        for (AttributeCodec.LeftOut one : all) {
            if (of.named.size() < MOST_CLASSES && of.named.add(one.type())) {
                LOG.warn(sentence(application, one));
            }
        }
    }

    /** Names application, attribute and class, and the fields that lead to it. */
    static String sentence(Application application, AttributeCodec.LeftOut one) {
        return "application "
                + application.name()
                + ": calls with \""
                + one.where()
                + "\" of "
                + one.type()
                + " do not outlive this node whole: "
                + (application.description().distributable()
                        ? "it cannot be serialized"
                        : "the application is not <distributable/>");
    }
}
