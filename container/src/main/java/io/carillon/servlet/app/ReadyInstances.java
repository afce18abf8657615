package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servlets and listeners of the SIP half from their making to their end: injected, told by
 * {@code @PostConstruct} and {@code @PreDestroy}. Of the deploying thread.
 */
final class ReadyInstances {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyInstances.class);

    /** They guard methods of EJBs; whoever wrote them here believes that they guard a servlet. */
    private static final List<String> WITHOUT_EFFECT =
            List.of("RolesAllowed", "DenyAll", "PermitAll");

    private final String archive;
    private final InstanceCallbacks callbacks;
    private final List<Object> ready = new ArrayList<>();

    ReadyInstances(String archive) {
        this.archive = archive;
        this.callbacks = new InstanceCallbacks(archive);
    }

    /** Makes a fresh instance ready for {@code init}. */
    void prepare(Object instance, ResourceInjection injection) throws DeploymentException {
        injection.inject(instance);
        for (ClassFiles.Read read : ClassFiles.of(archive, instance)) {
            warnOfRoles(read);
        }
        callbacks.postConstruct(instance);
        ready.add(instance);
    }

    private void warnOfRoles(ClassFiles.Read read) {
        for (String annotation : WITHOUT_EFFECT) {
            String descriptor = "Ljavax/annotation/security/" + annotation + ";";
            boolean there =
                    ClassFiles.annotation(read.model(), descriptor) != null
                            || read.model().methods().stream()
                                    .anyMatch(m -> ClassFiles.annotation(m, descriptor) != null);
            if (there) {
                LOG.warn(
                        "{}: {}: @{} protects no SIP servlet; <security-constraint> in sip.xml does",
                        archive,
                        read.type().getName(),
                        annotation);
            }
        }
    }

    /** In reverse order; a failure must not keep the rest alive: it is logged. */
    void letGo() {
        for (Object instance : ready.reversed()) {
            try {
                callbacks.preDestroy(instance);
            } catch (DeploymentException | RuntimeException | LinkageError e) {
                LOG.warn("{}: {}", archive, e.getMessage(), e);
            }
        }
        ready.clear();
    }
}
