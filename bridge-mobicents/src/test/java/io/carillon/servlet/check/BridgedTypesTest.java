package io.carillon.servlet.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.mobicents.javax.servlet.sip.SipSessionExt;
import org.mobicents.servlet.sip.annotation.ConcurrencyControl;

/** The check of archives has no artifact of the bridge: what it knows of them is compared here. */
class BridgedTypesTest {
    @Test
    void theCheckPromisesTheTypesOfTheArtifactsAndNoOthers() throws Exception {
        Set<String> there = new HashSet<>(types(SipSessionExt.class));
        there.addAll(types(ConcurrencyControl.class));
        assertThat(Vendor.BRIDGED).containsExactlyInAnyOrderElementsOf(there);
    }

    /** Of the jar with that class, without inner ones. */
    private static Set<String> types(Class<?> one) throws IOException, URISyntaxException {
        Path jar = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        Set<String> names = new HashSet<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && name.indexOf('$') < 0)
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .forEach(names::add);
        }
        return names;
    }
}
