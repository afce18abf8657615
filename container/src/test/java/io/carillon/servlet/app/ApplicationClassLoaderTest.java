package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Collections;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationClassLoaderTest {
    @TempDir Path folder;
    private ApplicationClassLoader loader;

    @BeforeEach
    void open() throws Exception {
        Path root =
                new TestArchive(folder)
                        .classes(
                                "package javax.servlet.sip; public class SipServlet { public static final String WHOSE = \"the archive's\"; }",
                                "package org.slf4j; public class Logger {}",
                                "package org.assertj.core.api; public class Assertions {}",
                                "package x; public class A { public static String say() { return B.WORD; } }",
                                "package x; public class B { public static final String WORD = \"classes\"; }")
                        .library(
                                "b.jar",
                                "package x; public class B { public static final String WORD = \"library\"; }")
                        .file("WEB-INF/classes/x/text", "mine")
                        .explode("app");
        loader =
                ApplicationClassLoader.open(
                        "a",
                        root,
                        getClass().getClassLoader(),
                        "org.assertj.core.api.Assertions"::equals);
    }

    @AfterEach
    void close() throws Exception {
        loader.close();
    }

    @Test
    void theApiIsTheContainersWhateverTheArchiveHolds() throws Exception {
        assertThat(loader.loadClass("javax.servlet.sip.SipServlet")).isSameAs(SipServlet.class);
    }

    @Test
    void whatABridgeSharesIsTheServersWhateverTheArchiveHolds() throws Exception {
        assertThat(loader.loadClass("org.assertj.core.api.Assertions"))
                .isSameAs(org.assertj.core.api.Assertions.class);
    }

    @Test
    void theJdkComesFirst() throws Exception {
        assertThat(loader.loadClass("java.sql.Connection")).isSameAs(java.sql.Connection.class);
        assertThat(loader.loadClass("javax.xml.stream.XMLStreamReader"))
                .isSameAs(javax.xml.stream.XMLStreamReader.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.carillon.servlet.app.Application",
                "io.carillon.servlet.app.ApplicationClassLoaderTest",
                "org.slf4j.LoggerFactory",
                "org.assertj.core.api.Assert",
                "org.junit.jupiter.api.Test"
            })
    void theServersOwnClassesAreOutOfSight(String name) {
        assertThatThrownBy(() -> loader.loadClass(name)).isInstanceOf(ClassNotFoundException.class);
        assertThat(loader.getResource(name.replace('.', '/') + ".class")).isNull();
    }

    @Test
    void anApplicationBringsItsOwnVersionOfALibraryOfTheServer() throws Exception {
        Class<?> own = loader.loadClass("org.slf4j.Logger");
        assertThat(own).isNotSameAs(org.slf4j.Logger.class);
        assertThat(own.getClassLoader()).isSameAs(loader);
    }

    @Test
    void classesComeBeforeLibraries() throws Exception {
        assertThat(loader.loadClass("x.B").getField("WORD").get(null)).isEqualTo("classes");
    }

    @Test
    void resourcesAreTheArchivesAndNoServiceFileOfTheServerIsSeen() throws Exception {
        assertThat(loader.getResource("x/text")).isNotNull();
        assertThat(
                        Collections.list(
                                loader.getResources(
                                        "META-INF/services/org.junit.platform.engine.TestEngine")))
                .isEmpty();
        assertThat(Collections.list(loader.getResources("javax/servlet/sip/SipFactory.class")))
                .hasSize(1);
    }
}
