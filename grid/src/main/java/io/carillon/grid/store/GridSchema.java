package io.carillon.grid.store;

import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;

/**
 * All of our classes that nodes tell each other by name: two functions without fields. Everything
 * else is text and bytes.
 */
final class GridSchema implements SerializationContextInitializer {
    private static final String FILE = "carillon-grid.proto";
    private static final String TEXT =
            """
            syntax = "proto3";
            package carillon.grid;

            /** @TypeId(1100101) */
            message KeepLater {}

            /** @TypeId(1100102) */
            message ForgetRemoved {}
            """;

    @Override
    public void registerSchema(SerializationContext context) {
        context.registerProtoFiles(FileDescriptorSource.fromString(FILE, TEXT));
    }

    @Override
    public void registerMarshallers(SerializationContext context) {
        context.registerMarshaller(
                new OfOne<>(KeepLater.class, "carillon.grid.KeepLater", KeepLater.INSTANCE));
        context.registerMarshaller(
                new OfOne<>(
                        ForgetRemoved.class,
                        "carillon.grid.ForgetRemoved",
                        ForgetRemoved.INSTANCE));
    }

    /** Something of which there is one. */
    private record OfOne<T>(Class<T> type, String name, T instance)
            implements ProtobufTagMarshaller<T> {
        @Override
        public T read(ReadContext context) {
            return instance;
        }

        @Override
        public void write(WriteContext context, T value) {}

        @Override
        public Class<? extends T> getJavaClass() {
            return type;
        }

        @Override
        public String getTypeName() {
            return name;
        }
    }
}
